import { EyeOutlined } from "@ant-design/icons";
import { Button, Flex } from "antd";
import { useState } from "react";
import { useTranslation } from "@/kernel/i18n";
import { FileLink } from "@/kernel/ui";
import { FilePreview, previewable } from "./FilePreview";
import type { FileView } from "./wire";

/** Files as links that download, with a preview in place for those a browser can show. */
export function FileChips({ files }: { files: FileView[] }) {
  const { t } = useTranslation("thesis");
  const [shown, setShown] = useState<FileView | null>(null);
  if (files.length === 0) return null;
  return (
    <>
      <ul className="th-files">
        {files.map((file) => (
          <li key={file.id}>
            <Flex align="center" wrap>
              <FileLink id={file.id} name={file.name} />
              {previewable(file) ? (
                <Button
                  type="text"
                  size="small"
                  icon={<EyeOutlined />}
                  aria-label={t("file.previewOf", { name: file.name })}
                  onClick={() => setShown(file)}
                >
                  {t("file.preview")}
                </Button>
              ) : null}
            </Flex>
          </li>
        ))}
      </ul>
      <FilePreview file={shown} onClose={() => setShown(null)} />
    </>
  );
}
