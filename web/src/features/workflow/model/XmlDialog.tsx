import { useQuery } from "@tanstack/react-query";
import { Alert, Button, Flex, Input, Modal, Skeleton } from "antd";
import { errorText } from "@/kernel/api/errors";
import { useTranslation } from "@/kernel/i18n";
import { toast, useMobile } from "@/kernel/ui";
import { saveXml } from "./calls";

interface Props {
  title: string;
  /** Name of the file without its ending. */
  name: string;
  load: () => Promise<string>;
  onClose: () => void;
}

/** The text of a process file, to read, copy and download. */
export function XmlDialog({ title, name, load, onClose }: Props) {
  const { t } = useTranslation("workflow");
  const mobile = useMobile();
  const { data, error, isPending } = useQuery({
    queryKey: ["bpmn-xml", title],
    queryFn: load,
    gcTime: 0,
    retry: false,
  });
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(data ?? "");
      toast.success(t("xml.copied"));
    } catch {
      toast.error(t("xml.copyFailed"));
    }
  };
  return (
    <Modal
      open
      title={title}
      onCancel={onClose}
      width={mobile ? "100%" : 880}
      footer={
        <Flex gap={8} justify="end" wrap>
          <Button disabled={!data} onClick={() => void copy()}>
            {t("xml.copy")}
          </Button>
          <Button type="primary" disabled={!data} onClick={() => data && saveXml(data, name)}>
            {t("xml.download")}
          </Button>
        </Flex>
      }
    >
      {isPending ? <Skeleton active /> : null}
      {error ? <Alert type="error" role="alert" title={errorText(error)} /> : null}
      {data === "" ? <Alert type="info" title={t("xml.none")} /> : null}
      {data ? (
        <Input.TextArea
          aria-label={t("xml.text")}
          readOnly
          value={data}
          rows={mobile ? 16 : 22}
          style={{ fontFamily: "ui-monospace, monospace", fontSize: 12, whiteSpace: "pre" }}
        />
      ) : null}
    </Modal>
  );
}
