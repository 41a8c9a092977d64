import { PrinterOutlined } from "@ant-design/icons";
import { Button } from "antd";
import { useTranslation } from "@/kernel/i18n";
import { formatTime } from "@/kernel/rules";
import { useSession } from "@/kernel/session";
import type { Subject } from "../shared/subjectWire";
import type { FileView } from "../shared/wire";

interface Props {
  form: Subject;
  files: FileView[];
}

/** The proof of a submission: number, time and the hash over content and files. */
export function Receipt({ form, files }: Props) {
  const { t } = useTranslation("thesis");
  const student = useSession((state) => state.studentDto);
  const rows: [string, string][] = [
    [t("receipt.no"), form.receiptNo],
    [t("receipt.time"), formatTime(form.submittedAt, "YYYY-MM-DD HH:mm:ss")],
    [t("receipt.who"), `${student?.name ?? ""} ${student?.studentNo ?? ""}`.trim()],
    [t("subject.titleZh"), form.titleZh],
    [t("subject.files"), files.map((file) => file.name).join("、") || t("subject.noFiles")],
    [t("receipt.count"), t("receipt.nth", { n: form.submitNo })],
  ];
  return (
    <section className="th-card th-receipt" aria-label={t("receipt.title")}>
      <div className="th-card-head">
        <h2>{t("receipt.title")}</h2>
        <Button className="th-no-print" icon={<PrinterOutlined aria-hidden />} onClick={printReceipt}>
          {t("receipt.print")}
        </Button>
      </div>
      <dl className="th-facts">
        {rows.map(([label, value]) => (
          <Row key={label} label={label} value={value} />
        ))}
        <dt>{t("receipt.hash")}</dt>
        <dd className="th-hash">{form.digest}</dd>
      </dl>
    </section>
  );
}

function Row({ label, value }: { label: string; value: string }) {
  return (
    <>
      <dt>{label}</dt>
      <dd>{value}</dd>
    </>
  );
}

/** Prints the receipt alone: the style sheet hides everything else while the mark stands. */
function printReceipt(): void {
  const root = document.documentElement;
  root.dataset.print = "receipt";
  window.addEventListener("afterprint", () => delete root.dataset.print, { once: true });
  window.print();
}
