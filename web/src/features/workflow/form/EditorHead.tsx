import { DownloadOutlined, EyeOutlined, ImportOutlined, RedoOutlined, UndoOutlined } from "@ant-design/icons";
import { Button } from "antd";
import { useRef } from "react";
import { saveBlob } from "@/kernel/api/client";
import { errorText } from "@/kernel/api/errors";
import { useTranslation } from "@/kernel/i18n";
import { confirmBox, PageHeader, toast, useMobile } from "@/kernel/ui";
import { designFileName, MAX_FILE, readDesign, writeDesign } from "./formDesign";
import { readItems } from "./model";
import type { DesignState } from "./useDesign";
import { type ProcessForm, storedOf } from "./useFormRecord";

interface Props {
  form: ProcessForm;
  state: DesignState;
  /** Whether anything is unsaved, in words. */
  note: string;
  saving: boolean;
  onPreview: () => void;
  onSave: () => void;
}

/** The name of the form, whether it is saved, and what can be done with the whole of it. */
export function EditorHead({ form, state, note, saving, onPreview, onSave }: Props) {
  const { t } = useTranslation("workflow");
  const file = useRef<HTMLInputElement>(null);
  const { acts, design } = state;
  const mobile = useMobile();
  // On a phone the signs stand alone, with the words as their names.
  const words = (text: string) => (mobile ? null : text);

  const exportFile = () => {
    const name = designFileName(form.name);
    const content = writeDesign({ name: form.name, ...storedOf(design) });
    saveBlob(new Blob([content], { type: "application/json" }), name);
    toast.success(t("form.exported", { file: name }));
  };
  const importFile = async (chosen: File | undefined) => {
    if (!chosen) return;
    try {
      if (chosen.size > MAX_FILE) throw new Error(t("form.tooLarge"));
      const { conf, fields } = readDesign(await chosen.text());
      const total = design.items.length;
      const question = { content: t("builder.importAsk", { total }), okText: t("builder.importOk") };
      if (total > 0 && !(await confirmBox(question))) return;
      acts.replace({ conf, items: readItems(fields) });
      toast.success(t("builder.imported", { total: fields.length }));
    } catch (error) {
      toast.error(errorText(error));
    }
  };

  return (
    <div className="builder-head">
      <PageHeader
        title={t("builder.title", { name: form.name })}
        extra={<span role="status">{note}</span>}
        description={mobile ? undefined : t("builder.about")}
        actions={
          <>
            <Button
              icon={<UndoOutlined />}
              disabled={!state.canUndo}
              aria-label={t("builder.undo")}
              onClick={acts.undo}
            >
              {words(t("builder.undo"))}
            </Button>
            <Button
              icon={<RedoOutlined />}
              disabled={!state.canRedo}
              aria-label={t("builder.redo")}
              onClick={acts.redo}
            >
              {words(t("builder.redo"))}
            </Button>
            <Button
              icon={<ImportOutlined />}
              aria-label={t("builder.import")}
              onClick={() => file.current?.click()}
            >
              {words(t("builder.import"))}
            </Button>
            <Button icon={<DownloadOutlined />} aria-label={t("builder.export")} onClick={exportFile}>
              {words(t("builder.export"))}
            </Button>
            <Button icon={<EyeOutlined />} aria-label={t("builder.preview")} onClick={onPreview}>
              {words(t("builder.preview"))}
            </Button>
            <Button type="primary" loading={saving} onClick={onSave}>
              {t("builder.save")}
            </Button>
            <input
              ref={file}
              type="file"
              hidden
              accept=".json"
              aria-label={t("form.choose")}
              onChange={(event) => {
                void importFile(event.target.files?.[0]);
                event.target.value = "";
              }}
            />
          </>
        }
      />
    </div>
  );
}
