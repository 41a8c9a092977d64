import { useQuery } from "@tanstack/react-query";
import { Alert, Button, Modal, Skeleton } from "antd";
import { get } from "@/kernel/api/client";
import { errorText } from "@/kernel/api/errors";
import { dictLabel } from "@/kernel/dict";
import { SafeHtml } from "@/kernel/html";
import { useTranslation } from "@/kernel/i18n";
import { formatTime } from "@/kernel/rules";
import { FileImage } from "@/kernel/ui";
import { signatureId } from "./calls";
import { personText } from "./duration";
import { FormPanel } from "./FormPanel";
import type { ApprovalDetail, Instance } from "./wire";

interface PrintData {
  processInstance: Instance;
  printTemplateEnable: boolean;
  printTemplateHtml: string;
  /** The template shows the decisions itself. */
  templateHasTasks: boolean;
  tasks: { id: string; name: string; signPicUrl: string; description: string }[];
}

interface Props {
  id: string;
  detail: ApprovalDetail;
  onClose: () => void;
}

/** The instance as one sheet of paper: what it looks like, and the button that prints it. */
export function PrintSheet({ id, detail, onClose }: Props) {
  const { t } = useTranslation("workflow");
  const { data, error, isPending } = useQuery({
    queryKey: ["bpm-print", id],
    queryFn: () =>
      get<PrintData>("/bpm/process-instance/get-print-data", { processInstanceId: id }, { silent: true }),
    gcTime: 0,
    retry: false,
  });
  return (
    <Modal
      open
      title={t("instance.printTitle")}
      width="min(860px, 100vw)"
      rootClassName="print-root"
      // Beside the application, so that paper can leave the application out.
      getContainer={document.body}
      onCancel={onClose}
      footer={
        <Button type="primary" disabled={!data} onClick={() => window.print()}>
          {t("viewer.print")}
        </Button>
      }
    >
      {isPending ? <Skeleton active /> : null}
      {error ? <Alert type="error" role="alert" title={errorText(error)} /> : null}
      {data ? <Sheet data={data} detail={detail} /> : null}
    </Modal>
  );
}

function Sheet({ data, detail }: { data: PrintData; detail: ApprovalDetail }) {
  const { t } = useTranslation("workflow");
  const { processInstance: instance } = data;
  const own = data.printTemplateEnable && data.printTemplateHtml !== "";
  return (
    <article className="sheet">
      {own ? <SafeHtml html={data.printTemplateHtml} /> : <Standard instance={instance} detail={detail} />}
      {own && data.templateHasTasks ? null : <Records tasks={data.tasks} />}
      <p className="sheet-foot">{t("instance.printedAt", { time: formatTime(Date.now()) })}</p>
    </article>
  );
}

/** What is printed of a process without a template. */
function Standard({ instance, detail }: { instance: Instance; detail: ApprovalDetail }) {
  const { t } = useTranslation("workflow");
  const facts: [string, string][] = [
    [t("viewer.starter"), personText(instance.startUser)],
    [t("viewer.result"), dictLabel("bpm_process_instance_result", instance.result)],
    [t("instance.startedAt"), formatTime(instance.startTime)],
    [t("instance.endedAt"), formatTime(instance.endTime)],
    [t("instance.number"), instance.number || instance.id],
  ];
  return (
    <>
      <h1>{instance.name}</h1>
      <table className="sheet-table">
        <tbody>
          {facts.map(([label, value]) =>
            value ? (
              <tr key={label}>
                <th scope="row">{label}</th>
                <td>{value}</td>
              </tr>
            ) : null,
          )}
        </tbody>
      </table>
      <FormPanel detail={{ ...detail, processInstance: instance }} readOnly />
    </>
  );
}

/** The decisions, with what was signed. */
function Records({ tasks }: Pick<PrintData, "tasks">) {
  const { t } = useTranslation("workflow");
  return (
    <>
      <h2>{t("viewer.records")}</h2>
      <table className="sheet-table">
        <tbody>
          {tasks.map((task) => (
            <tr key={task.id}>
              <th scope="row">{task.name}</th>
              <td>
                {task.description}
                {signatureId(task.signPicUrl) > 0 ? (
                  <FileImage id={signatureId(task.signPicUrl)} alt={t("instance.signature")} width={100} />
                ) : null}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
