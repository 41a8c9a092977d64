import { Alert, Flex, Input, InputNumber, Switch } from "antd";
import { type ReactNode, useId } from "react";
import { RichText } from "@/kernel/html";
import { useTranslation } from "@/kernel/i18n";
import { FieldControl } from "./controls";
import { type FieldChange, type FormField, fieldOf } from "./field";
import { hasOptions, isInput, isNumber, isText, type Kind } from "./kinds";
import { type Item, rawOf } from "./model";
import { OptionsEditor } from "./OptionsEditor";
import type { Problem } from "./problems";
import { initialOf } from "./values";

interface Props {
  item: Item;
  problems: readonly Problem[];
  onChange: (change: FieldChange) => void;
}

/** The properties of the selected item; each change shows at once. */
export function Properties({ item, problems, onChange }: Props) {
  const { t } = useTranslation("workflow");
  const field = fieldOf(item);
  const set = { field, onChange };
  return (
    <Flex vertical gap={16} className="builder-props">
      <strong>{t(`kind.${field.kind}`)}</strong>
      {problems.map((problem) => (
        <Alert key={problem.text} type="error" title={problem.text} />
      ))}
      {field.kind === "unsupported" ? <Unsupported item={item} /> : null}
      {field.kind === "description" ? (
        <Labelled label={t("builder.prop.content")}>
          {() => (
            <RichText
              height={220}
              label={t("builder.prop.content")}
              value={field.content}
              onChange={(content) => onChange({ content })}
            />
          )}
        </Labelled>
      ) : null}
      {field.kind === "unsupported" || field.kind === "description" ? null : (
        <TextProp {...set} member="label" />
      )}
      {isInput(field.kind) ? <InputProps item={item} {...set} /> : null}
    </Flex>
  );
}

interface SetProps {
  field: FormField;
  onChange: (change: FieldChange) => void;
}

const withPlaceholder: readonly Kind[] = [
  "text",
  "textarea",
  "number",
  "money",
  "select",
  "date",
  "dateTime",
  "user",
  "dept",
];
const withInitial: readonly Kind[] = [
  "text",
  "textarea",
  "number",
  "money",
  "switch",
  "select",
  "radio",
  "checkbox",
];

function InputProps({ item, ...set }: SetProps & { item: Item }) {
  const { t } = useTranslation("workflow");
  const { field, onChange } = set;
  const { kind } = field;
  return (
    <>
      <TextProp {...set} member="name" help={t("builder.prop.nameHelp")} />
      <TextProp {...set} member="help" />
      {withPlaceholder.includes(kind) ? <TextProp {...set} member="placeholder" /> : null}
      {kind === "switch" ? null : <FlagProp {...set} member="required" />}
      {hasOptions(kind) ? <OptionsEditor {...set} /> : null}
      {["select", "user", "dept"].includes(kind) ? <FlagProp {...set} member="multiple" /> : null}
      {isText(kind) ? (
        <>
          <Pair {...set} from="minLength" to="maxLength" />
          <TextProp {...set} member="pattern" />
          {field.pattern ? <TextProp {...set} member="patternText" /> : null}
        </>
      ) : null}
      {isNumber(kind) ? <Pair {...set} from="min" to="max" /> : null}
      {kind === "number" ? <NumberProp {...set} member="precision" whole least={0} /> : null}
      {kind === "file" || kind === "image" ? <NumberProp {...set} member="limit" whole least={1} /> : null}
      {kind === "table" ? <TableProps item={item} {...set} /> : null}
      {withInitial.includes(kind) ? (
        <Labelled label={t("builder.prop.initial")}>
          {(id) => (
            <FieldControl
              id={id}
              aria-label={t("builder.prop.initial")}
              field={{ ...field, maxLength: undefined }}
              value={initialOf(item)}
              onChange={(initial) => onChange({ initial: initial ?? undefined })}
            />
          )}
        </Labelled>
      ) : null}
    </>
  );
}

function TableProps({ item, ...set }: SetProps & { item: Item }) {
  const { t } = useTranslation("workflow");
  const names = item.children.map((column) => fieldOf(column).label).join("、");
  return (
    <>
      <div>
        <div>{t("builder.prop.columns")}</div>
        <div>{names || t("builder.prop.none")}</div>
        <div className="form-none">{t("builder.prop.columnsHelp")}</div>
      </div>
      <Flex gap={8}>
        <NumberProp {...set} member="min" label={t("builder.prop.minRows")} whole least={0} />
        <NumberProp {...set} member="max" label={t("builder.prop.maxRows")} whole least={1} />
      </Flex>
    </>
  );
}

function Unsupported({ item }: { item: Item }) {
  const { t } = useTranslation("workflow");
  return (
    <>
      <Alert type="info" title={t("builder.prop.rawHelp")} />
      <Labelled label={t("builder.prop.raw")}>
        {(id) => (
          <Input.TextArea
            id={id}
            readOnly
            value={JSON.stringify(rawOf(item), null, 2)}
            autoSize={{ minRows: 4, maxRows: 16 }}
          />
        )}
      </Labelled>
    </>
  );
}

function Labelled({
  label,
  help,
  children,
}: {
  label: string;
  help?: string;
  children: (id: string) => ReactNode;
}) {
  const id = useId();
  return (
    <div className="builder-prop">
      <label htmlFor={id}>{label}</label>
      {help ? <div className="form-none">{help}</div> : null}
      {children(id)}
    </div>
  );
}

type TextMember = "label" | "name" | "help" | "placeholder" | "pattern" | "patternText";

function TextProp({ field, member, help, onChange }: SetProps & { member: TextMember; help?: string }) {
  const { t } = useTranslation("workflow");
  return (
    <Labelled label={t(`builder.prop.${member}`)} help={help}>
      {(id) => (
        <Input
          id={id}
          value={field[member]}
          maxLength={member === "name" ? 64 : 200}
          onChange={(event) => onChange({ [member]: event.target.value })}
        />
      )}
    </Labelled>
  );
}

function FlagProp({ field, member, onChange }: SetProps & { member: "required" | "multiple" }) {
  const { t } = useTranslation("workflow");
  const id = useId();
  return (
    <Flex justify="space-between" align="center">
      <label htmlFor={id}>{t(`builder.prop.${member}`)}</label>
      <Switch id={id} checked={field[member]} onChange={(on) => onChange({ [member]: on })} />
    </Flex>
  );
}

type NumberMember = "min" | "max" | "minLength" | "maxLength" | "precision" | "limit";

interface NumberProps extends SetProps {
  member: NumberMember;
  label?: string;
  /** Only whole numbers. */
  whole?: boolean;
  least?: number;
}

function NumberProp({ field, member, label, whole, least, onChange }: NumberProps) {
  const { t } = useTranslation("workflow");
  return (
    <Labelled label={label ?? t(`builder.prop.${member}`)}>
      {(id) => (
        <InputNumber
          id={id}
          value={field[member]}
          min={least}
          precision={whole ? 0 : undefined}
          onChange={(value) => onChange({ [member]: value ?? undefined })}
          style={{ width: "100%" }}
        />
      )}
    </Labelled>
  );
}

function Pair({ from, to, ...set }: SetProps & { from: NumberMember; to: NumberMember }) {
  const lengths = from === "minLength";
  return (
    <Flex gap={8}>
      <NumberProp {...set} member={from} whole={lengths} least={lengths ? 0 : undefined} />
      <NumberProp {...set} member={to} whole={lengths} least={lengths ? 1 : undefined} />
    </Flex>
  );
}
