import { useQueryClient } from "@tanstack/react-query";
import { Alert, Form } from "antd";
import type { Rule } from "antd/es/form";
import { useMemo } from "react";
import { useTranslation } from "@/kernel/i18n";
import { Upload } from "@/kernel/ui";
import type { FileView } from "../shared/wire";
import { useRefused } from "./refused";

interface Props {
  min: number;
  max: number;
  /** The approver asked for a new file. */
  fresh: boolean;
  /** The files that are stored already, by name. */
  files: FileView[];
}

/** The attachments: resumable, each shown with rate, rest time, pause and resume. */
export function FilesField({ min, max, fresh, files }: Props) {
  const { t } = useTranslation("thesis");
  const client = useQueryClient();
  const refused = useRefused();
  // The names came with the form: no need to ask for each of them.
  useMemo(() => {
    for (const file of files) client.setQueryData(["file", file.id], file);
  }, [client, files]);
  const enough: Rule = {
    validator: (_rule, value: number[] | undefined) =>
      (value?.length ?? 0) < min
        ? Promise.reject(new Error(t("subject.filesMissing", { min })))
        : Promise.resolve(),
  };
  return (
    <>
      {fresh ? (
        <Alert type="warning" showIcon style={{ marginBottom: 12 }} title={t("subject.filesFresh")} />
      ) : null}
      <Form.Item
        name="attachments"
        label={t("subject.files")}
        required={min > 0}
        rules={[enough, refused("attachments")]}
        extra={t("subject.filesHelp")}
      >
        <Upload slot="document" max={max} />
      </Form.Item>
    </>
  );
}
