import { useQuery } from "@tanstack/react-query";
import { Alert, Modal, Skeleton } from "antd";
import { errorText } from "@/kernel/api/errors";
import { useTranslation } from "@/kernel/i18n";
import { Diagram } from "./Diagram";

interface Props {
  /** What the process is called. */
  name: string;
  load: () => Promise<string>;
  onClose: () => void;
}

/** The drawing of a process in a dialog. */
export function DiagramDialog({ name, load, onClose }: Props) {
  const { t } = useTranslation("workflow");
  const { data, error, isPending } = useQuery({
    queryKey: ["bpmn-diagram", name],
    queryFn: load,
    gcTime: 0,
    retry: false,
  });
  return (
    <Modal
      open
      title={t("viewer.title", { name })}
      onCancel={onClose}
      footer={null}
      width="min(1100px, 100vw)"
    >
      {isPending ? <Skeleton active /> : null}
      {error ? <Alert type="error" role="alert" title={errorText(error)} /> : null}
      {data === undefined ? null : <Diagram xml={data} name={name} height={480} />}
    </Modal>
  );
}
