import { Alert, Flex, Select, Tag, Typography } from "antd";
import { useTranslation } from "@/kernel/i18n";
import type { TaskRule } from "./calls";
import { RuleOptions, RuleOptionsText } from "./RuleOptions";
import { needsOptions, ruleTypes } from "./ruleTypes";

export interface Choice {
  type: number;
  options: number[];
}

interface Props {
  rule: TaskRule;
  /** What was chosen and is not saved yet. */
  choice?: Choice;
  problem?: string;
  /** Absent when the rule cannot be changed. */
  onChange?: (choice: Choice) => void;
}

/** One user task with its rule. */
export function RuleCard({ rule, choice, problem, onChange }: Props) {
  const { t } = useTranslation("workflow");
  const stored = rule.type === null ? undefined : { type: rule.type, options: rule.options };
  const shown = choice ?? stored;
  const name = rule.taskDefinitionName || rule.taskDefinitionKey;
  return (
    <section aria-label={name}>
      <Flex gap={8} align="center" wrap>
        <Typography.Text strong>{name}</Typography.Text>
        <Typography.Text type="secondary">{rule.taskDefinitionKey}</Typography.Text>
        {choice ? <Tag color="processing">{t("rule.unsaved")}</Tag> : null}
      </Flex>
      <div style={{ marginTop: 8 }}>
        {rule.diagramStrategy ? (
          <Fixed rule={rule} />
        ) : (
          <Flex vertical gap={8}>
            {rule.diagramAssignee ? (
              <Typography.Text type="secondary">
                {t("rule.byAttributes", { text: rule.diagramAssignee })}
              </Typography.Text>
            ) : null}
            {onChange ? (
              <Editor name={name} shown={shown} onChange={onChange} />
            ) : (
              <Shown shown={shown} optional={rule.diagramAssignee !== ""} />
            )}
          </Flex>
        )}
      </div>
      {problem ? <Alert type="error" role="alert" title={problem} style={{ marginTop: 8 }} /> : null}
    </section>
  );
}

/** What the diagram says itself wins and is changed there. */
function Fixed({ rule }: { rule: TaskRule }) {
  const { t } = useTranslation("workflow");
  const title = rule.diagramTitle || rule.diagramStrategy;
  const text = rule.diagramParam ? `${title}（${rule.diagramParam}）` : title;
  return <Typography.Text>{t("rule.byDiagram", { text })}</Typography.Text>;
}

function Shown({ shown, optional }: { shown?: Choice; optional: boolean }) {
  const { t } = useTranslation("workflow");
  if (!shown) return optional ? null : <Typography.Text type="warning">{t("rule.missing")}</Typography.Text>;
  return (
    <Flex gap={8} wrap>
      <Tag>{t(`rule.type.${shown.type}`, { defaultValue: String(shown.type) })}</Tag>
      <RuleOptionsText type={shown.type} value={shown.options} />
    </Flex>
  );
}

interface EditorProps {
  name: string;
  shown?: Choice;
  onChange: (choice: Choice) => void;
}

function Editor({ name, shown, onChange }: EditorProps) {
  const { t } = useTranslation("workflow");
  return (
    <>
      <Select<number>
        aria-label={t("rule.typeOf", { name })}
        placeholder={t("rule.chooseType")}
        value={shown?.type}
        options={ruleTypes.map(({ value }) => ({ value, label: t(`rule.type.${value}`) }))}
        onChange={(type) => onChange({ type, options: [] })}
        style={{ width: "100%" }}
      />
      {shown && needsOptions(shown.type) ? (
        <RuleOptions
          type={shown.type}
          value={shown.options}
          label={t("rule.optionsOf", { name })}
          onChange={(options) => onChange({ type: shown.type, options })}
        />
      ) : null}
    </>
  );
}
