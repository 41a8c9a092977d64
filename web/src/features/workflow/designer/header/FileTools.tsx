import { DownloadOutlined, EyeOutlined, FolderOpenOutlined } from "@ant-design/icons";
import { Button, Dropdown } from "antd";
import { useRef } from "react";
import { useTranslation } from "@/kernel/i18n";
import { type FileKind, fileKinds } from "./files";
import { Tool } from "./Tool";

interface Props {
  disabled: boolean;
  onOpen: (file: File) => void;
  onDownload: (kind: FileKind) => void;
  onPreview: (kind: "xml" | "json") => void;
}

/** Opening, taking along and reading the file. */
export function FileTools({ disabled, onOpen, onDownload, onPreview }: Props) {
  const { t } = useTranslation("designer");
  const input = useRef<HTMLInputElement>(null);
  return (
    <div className="designer-group">
      <Tool
        label={t("tool.open")}
        icon={<FolderOpenOutlined />}
        disabled={disabled}
        onPress={() => input.current?.click()}
      />
      <input
        ref={input}
        type="file"
        hidden
        accept=".xml,.bpmn"
        aria-label={t("tool.chooseFile")}
        onChange={(event) => {
          const file = event.target.files?.[0];
          // The same file can be chosen again.
          event.target.value = "";
          if (file) onOpen(file);
        }}
      />
      <Dropdown
        trigger={["click"]}
        menu={{
          items: fileKinds.map((kind) => ({ key: kind, label: kind.toUpperCase() })),
          onClick: ({ key }) => onDownload(key as FileKind),
        }}
      >
        <Button
          type="text"
          title={t("tool.download")}
          aria-label={t("tool.download")}
          icon={<DownloadOutlined />}
        />
      </Dropdown>
      <Dropdown
        trigger={["click"]}
        menu={{
          items: [
            { key: "xml", label: "XML" },
            { key: "json", label: "JSON" },
          ],
          onClick: ({ key }) => onPreview(key as "xml" | "json"),
        }}
      >
        <Button type="text" title={t("tool.preview")} aria-label={t("tool.preview")} icon={<EyeOutlined />} />
      </Dropdown>
    </div>
  );
}
