import { InboxOutlined } from "@ant-design/icons";
import { Upload } from "antd";
import { useTranslation } from "@/kernel/i18n";

interface Props {
  file: string;
  onFile: (file: File) => void;
}

/** Takes a process file by drag or by choice; nothing is sent from here. */
export function FileDrop({ file, onFile }: Props) {
  const { t } = useTranslation("workflow");
  return (
    <Upload.Dragger
      accept=".bpmn,.xml"
      showUploadList={false}
      beforeUpload={(chosen) => {
        onFile(chosen);
        return false;
      }}
    >
      <p>
        <InboxOutlined style={{ fontSize: 32 }} aria-hidden />
      </p>
      <p>{file || t("diagram.drop")}</p>
      <p style={{ opacity: 0.75 }}>{t("diagram.limits")}</p>
    </Upload.Dragger>
  );
}
