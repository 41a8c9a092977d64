import { DownloadOutlined } from "@ant-design/icons";
import { Button, Checkbox, Flex } from "antd";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import { download } from "@/kernel/api/client";
import { errorText } from "@/kernel/api/errors";

/** What is imported and how. */
export interface SheetChoice {
  file: File | null;
  /** Rows that exist already take what the sheet says. */
  update: boolean;
}

interface Props {
  /** Path of the entity; its get-import-template gives the empty sheet. */
  path: string;
  templateName: string;
  help: string;
  updateLabel: string;
  choice: SheetChoice;
  onChange: (choice: SheetChoice) => void;
  onProblem: (text: string) => void;
}

/** The file of an import, what to do with known rows, and the template to begin with. */
export function SheetChooser(props: Props) {
  const { path, templateName, help, updateLabel, choice, onChange, onProblem } = props;
  const { t } = useTranslation("kernel");
  const input = useRef<HTMLInputElement>(null);
  const template = () =>
    download(`${path}/get-import-template`, undefined, templateName).catch((error: unknown) =>
      onProblem(t("import.template_missing", { reason: errorText(error) })),
    );
  return (
    <>
      <div>{help}</div>
      <Button
        type="link"
        icon={<DownloadOutlined />}
        style={{ alignSelf: "start", paddingInline: 0 }}
        onClick={() => void template()}
      >
        {t("import.template")}
      </Button>
      <Flex gap={8} align="center" wrap>
        <Button onClick={() => input.current?.click()}>{t("import.choose")}</Button>
        <span>{choice.file?.name}</span>
        <input
          ref={input}
          type="file"
          hidden
          accept=".xlsx"
          aria-label={t("import.choose")}
          onChange={(event) => {
            onChange({ ...choice, file: event.target.files?.[0] ?? null });
            event.target.value = "";
          }}
        />
      </Flex>
      <Checkbox
        checked={choice.update}
        onChange={(event) => onChange({ ...choice, update: event.target.checked })}
      >
        {updateLabel}
      </Checkbox>
    </>
  );
}
