import { Modal } from "antd";
import { DictTag } from "@/kernel/dict";
import { useTranslation } from "@/kernel/i18n";
import { useSession } from "@/kernel/session";
import type { OpenTopic } from "../shared/wire";
import type { SubjectValues } from "./form";

interface Props {
  values: SubjectValues | null;
  topic: OpenTopic | null;
  third: boolean;
  busy: boolean;
  onOk: () => void;
  onCancel: () => void;
  onClosed: () => void;
}

/** What will be handed in and what follows from it, before it is handed in. */
export function Confirm({ values, topic, third, busy, onOk, onCancel, onClosed }: Props) {
  const { t } = useTranslation("thesis");
  const advisor = useSession((state) => String(state.studentDto?.advisorName ?? ""));
  const type = topic?.thesisType ?? values?.thesisType;
  const source = topic?.thesisSource ?? values?.thesisSource;
  return (
    <Modal
      open={values !== null}
      title={t("confirm.title")}
      okText={t("subject.submit")}
      cancelText={t("confirm.back")}
      confirmLoading={busy}
      onOk={onOk}
      onCancel={onCancel}
      afterClose={onClosed}
    >
      <dl className="th-facts">
        <dt>{t("subject.titleZh")}</dt>
        <dd>
          <strong>{topic?.title ?? values?.titleZh}</strong>
        </dd>
        {topic ? (
          <>
            <dt>{t("subject.topic")}</dt>
            <dd>{t("confirm.topicOf", { advisor: topic.advisorName })}</dd>
          </>
        ) : null}
        <dt>{t("subject.type")}</dt>
        <dd>
          <DictTag type="thesis_type" value={type} />
          <DictTag type="thesis_source" value={source} />
        </dd>
        <dt>{t("subject.files")}</dt>
        <dd>{t("confirm.files", { n: values?.attachments.length ?? 0 })}</dd>
        <dt>{t("now.decides")}</dt>
        <dd>{t(third ? "now.three" : "now.two", { advisor })}</dd>
      </dl>
      <p>{t("confirm.after")}</p>
    </Modal>
  );
}
