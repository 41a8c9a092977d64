import { Modal } from "antd";
import { useTranslation } from "@/kernel/i18n";
import type { SubjectDetail } from "../shared/subjectWire";
import type { Decide } from "./useDecide";

interface Props {
  subject: SubjectDetail;
  decide: Decide;
}

/** One look before it counts: on whom, with which opinion, and what follows. */
export function VerdictDialog({ subject, decide }: Props) {
  const { t } = useTranslation("thesis");
  const verdict = decide.asking;
  const change = subject.newTitleZh !== "";
  const name = verdict === "return" && change ? "refuseChange" : (verdict ?? "approve");
  return (
    <Modal
      open={verdict !== null}
      title={t(`decide.${name}Title`)}
      okText={t(`decide.${name}`)}
      okButtonProps={{ danger: verdict === "reject", autoFocus: true }}
      cancelText={t("decide.back")}
      confirmLoading={decide.busy}
      onOk={() => void decide.confirm()}
      onCancel={decide.cancel}
      destroyOnHidden
    >
      <p>
        <strong>
          {subject.studentName} · {change ? subject.newTitleZh : subject.titleZh}
        </strong>
      </p>
      {decide.opinion.trim() ? <blockquote className="th-quote">{decide.opinion.trim()}</blockquote> : null}
      {verdict === "return" && decide.newFile ? <p>{t("decide.newFile")}</p> : null}
      <p className="th-quiet">{t(`decide.${name}After`)}</p>
    </Modal>
  );
}
