import { Alert, Button, Flex, Form, Input, Modal } from "antd";
import { useRef, useState } from "react";
import { post, put } from "@/kernel/api/client";
import { errorText } from "@/kernel/api/errors";
import { useTranslation } from "@/kernel/i18n";
import { toast } from "@/kernel/ui";
import { type FormDesign, MAX_FILE, readDesign } from "./formDesign";

const MAX_NAME = 64;

interface Props {
  /** The form whose design is replaced; null makes a new form. */
  target: { id: number; name: string; version?: number } | null;
  onDone: () => Promise<void>;
  onClose: () => void;
}

/** Takes the design of a form from a file: as a new form, or in place of a present one. */
export function FormImport({ target, onDone, onClose }: Props) {
  const { t } = useTranslation("workflow");
  const [design, setDesign] = useState<FormDesign | null>(null);
  const [name, setName] = useState("");
  const [file, setFile] = useState("");
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState("");

  const choose = async (chosen: File | undefined) => {
    if (!chosen) return;
    setProblem("");
    setDesign(null);
    setFile(chosen.name);
    try {
      if (chosen.size > MAX_FILE) throw new Error(t("form.tooLarge"));
      const read = readDesign(await chosen.text());
      setDesign(read);
      setName((read.name || chosen.name.replace(/(\.form)?\.json$/i, "")).slice(0, MAX_NAME));
    } catch (error) {
      setProblem(errorText(error));
    }
  };
  const submit = async () => {
    if (!design) return setProblem(problem || t("form.chooseFirst"));
    if (!target && !name.trim()) return setProblem(t("form.nameFirst"));
    setBusy(true);
    setProblem("");
    const { conf, fields } = design;
    try {
      if (target) {
        const { id, version } = target;
        await put("/bpm/form/update", { id, version, conf, fields }, { silent: true });
      } else {
        const body = { name: name.trim(), conf, fields, status: 0, remark: "" };
        await post("/bpm/form/create", body, { silent: true });
      }
      toast.success(t(target ? "form.replaced" : "form.imported", { name: target?.name ?? name.trim() }));
      await onDone();
      onClose();
    } catch (error) {
      setProblem(errorText(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Modal
      open
      title={t(target ? "form.replaceTitle" : "form.importTitle", { name: target?.name })}
      mask={{ closable: false }}
      onCancel={onClose}
      okText={t(target ? "form.replaceOk" : "form.importOk")}
      cancelText={t("kernel:action.cancel")}
      confirmLoading={busy}
      onOk={() => void submit()}
    >
      <Flex vertical gap={12}>
        {problem ? <Alert type="error" role="alert" title={problem} /> : null}
        <div>{t("form.importHelp")}</div>
        {target ? <Alert type="warning" title={t("form.replaceAbout", { name: target.name })} /> : null}
        <FileChooser file={file} onChoose={(chosen) => void choose(chosen)} />
        {design ? <div role="status">{t("form.found", { total: design.fields.length })}</div> : null}
        {design && !target ? (
          <Form layout="vertical" component={false}>
            <Form.Item label={t("form.name")} htmlFor="form-import-name" style={{ marginBottom: 0 }}>
              <Input
                id="form-import-name"
                value={name}
                maxLength={MAX_NAME}
                showCount
                onChange={(event) => setName(event.target.value)}
              />
            </Form.Item>
          </Form>
        ) : null}
      </Flex>
    </Modal>
  );
}

interface ChooserProps {
  file: string;
  onChoose: (file: File | undefined) => void;
}

function FileChooser({ file, onChoose }: ChooserProps) {
  const { t } = useTranslation("workflow");
  const input = useRef<HTMLInputElement>(null);
  return (
    <Flex gap={8} align="center" wrap>
      <Button onClick={() => input.current?.click()}>{t("form.choose")}</Button>
      <span>{file}</span>
      <input
        ref={input}
        type="file"
        hidden
        accept=".json"
        aria-label={t("form.choose")}
        onChange={(event) => {
          onChoose(event.target.files?.[0]);
          event.target.value = "";
        }}
      />
    </Flex>
  );
}
