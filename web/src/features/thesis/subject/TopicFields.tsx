import { Button, Form, type FormInstance, Radio } from "antd";
import { useState } from "react";
import { DictTag } from "@/kernel/dict";
import { useTranslation } from "@/kernel/i18n";
import type { OpenTopic } from "../shared/wire";
import { rules, type SubjectValues } from "./form";
import { useRefused } from "./refused";
import { TopicPicker } from "./TopicPicker";

interface Props {
  form: FormInstance<SubjectValues>;
  topic: OpenTopic | null;
  onTopic: (topic: OpenTopic) => void;
  onChanged: () => void;
}

/** Either a topic that an advisor offers, or one's own. */
export function TopicFields({ form, topic, onTopic, onChanged }: Props) {
  const { t } = useTranslation("thesis");
  const refused = useRefused();
  const own = Form.useWatch("way", form) === "own";
  const [picking, setPicking] = useState(false);
  const choose = (next: OpenTopic) => {
    form.setFieldsValue({ topicId: next.id });
    form.setFields([{ name: "topicId", errors: [] }]);
    onTopic(next);
    setPicking(false);
    onChanged();
  };
  return (
    <>
      <Form.Item name="way" label={t("subject.way")} required>
        <Radio.Group
          optionType="button"
          buttonStyle="solid"
          options={[
            { value: "topic", label: t("subject.wayTopic") },
            { value: "own", label: t("subject.wayOwn") },
          ]}
        />
      </Form.Item>
      {own ? null : (
        <Form.Item
          name="topicId"
          label={t("subject.topic")}
          required
          rules={[rules.topic, refused("topicId")]}
        >
          <Chosen topic={picking ? null : topic} onOther={() => setPicking(true)}>
            <TopicPicker chosen={topic?.id ?? 0} onChoose={choose} />
          </Chosen>
        </Form.Item>
      )}
    </>
  );
}

interface ChosenProps {
  id?: string;
  topic: OpenTopic | null;
  onOther: () => void;
  children: React.ReactNode;
}

/** The chosen topic in short, or the list to choose from. */
function Chosen({ id, topic, onOther, children }: ChosenProps) {
  const { t } = useTranslation("thesis");
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would draw a frame and a legend of its own
    <div id={id} role="group" aria-label={t("subject.topic")} tabIndex={-1}>
      {topic ? <TopicBrief topic={topic} onOther={onOther} /> : children}
    </div>
  );
}

function TopicBrief({ topic, onOther }: { topic: OpenTopic; onOther: () => void }) {
  const { t } = useTranslation("thesis");
  return (
    <div className="th-item is-chosen">
      <span className="th-item-title">{topic.title}</span>
      <span className="th-item-meta">
        <span>
          {topic.advisorName} · {topic.deptName}
        </span>
        <DictTag type="thesis_type" value={topic.thesisType} />
        <DictTag type="thesis_source" value={topic.thesisSource} />
        {topic.sourceNo ? <span>{topic.sourceNo}</span> : null}
      </span>
      {topic.summary ? (
        <details>
          <summary className="th-quiet">{t("subject.topicSummary")}</summary>
          <div style={{ whiteSpace: "pre-wrap" }}>{topic.summary}</div>
        </details>
      ) : null}
      <Button size="small" style={{ marginTop: 8 }} onClick={onOther}>
        {t("subject.otherTopic")}
      </Button>
    </div>
  );
}
