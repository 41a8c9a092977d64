import { Alert, Flex, Form, Input, Modal } from "antd";
import { useId, useState } from "react";
import { errorText } from "@/kernel/api/errors";
import { requiredMark, showRefusedFields } from "@/kernel/form";
import { useTranslation } from "@/kernel/i18n";
import { toast } from "@/kernel/ui";
import { CategorySelect } from "./CategorySelect";
import { importModel, replaceDiagram } from "./calls";
import { type Diagram, readDiagram } from "./diagram";
import type { Model } from "./entity";
import { FileDrop } from "./FileDrop";

interface Props {
  /** The model whose diagram is replaced; null makes a new model. */
  target: Model | null;
  onDone: () => Promise<void>;
  onClose: () => void;
}

interface Texts {
  key: string;
  name: string;
  category?: string;
  description?: string;
}

/** Takes a process file: as a new model, or in place of the diagram of a present one. */
export function ModelImport({ target, onDone, onClose }: Props) {
  const { t } = useTranslation("workflow");
  const id = useId();
  const [form] = Form.useForm<Texts>();
  const [file, setFile] = useState<File | null>(null);
  const [diagram, setDiagram] = useState<Diagram | null>(null);
  const [problem, setProblem] = useState("");
  const [busy, setBusy] = useState(false);

  const choose = async (chosen: File) => {
    setFile(chosen);
    setDiagram(null);
    setProblem("");
    try {
      const read = await readDiagram(chosen);
      setDiagram(read);
      const { key, name } = read;
      if (!target) form.setFieldsValue({ key, name: name || chosen.name.replace(/\.(bpmn|xml)$/i, "") });
    } catch (error) {
      setProblem(errorText(error));
    }
  };
  const send = async (texts: Texts) => {
    if (!file || !diagram) return setProblem(problem || t("diagram.chooseFirst"));
    setBusy(true);
    setProblem("");
    try {
      if (target) await replaceDiagram(target.id, target.version, diagram.xml);
      else await importModel(file, given(texts));
      toast.success(
        t(target ? "diagram.replaced" : "diagram.imported", { name: target?.name ?? texts.name }),
      );
      await onDone();
      onClose();
    } catch (error) {
      if (showRefusedFields(form, error).length === 0) setProblem(errorText(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Modal
      open
      title={target ? t("diagram.replaceTitle", { name: target.name }) : t("diagram.importTitle")}
      mask={{ closable: false }}
      onCancel={onClose}
      okText={t(target ? "diagram.replaceOk" : "diagram.importOk")}
      cancelText={t("kernel:action.cancel")}
      okButtonProps={{ htmlType: "submit", form: id }}
      confirmLoading={busy}
    >
      <Form<Texts>
        id={id}
        name={id}
        form={form}
        layout="vertical"
        requiredMark={requiredMark}
        onFinish={(texts) => void send(texts)}
      >
        <Flex vertical gap={12}>
          {problem ? <Alert type="error" role="alert" title={problem} /> : null}
          <FileDrop file={file?.name ?? ""} onFile={(chosen) => void choose(chosen)} />
          {target ? <TargetNotes model={target} diagram={diagram} /> : null}
          {diagram && !target ? <TextFields /> : null}
        </Flex>
      </Form>
    </Modal>
  );
}

/** Only what was filled in is sent. */
function given(texts: Texts): Record<string, string> {
  return Object.fromEntries(Object.entries(texts).filter((entry): entry is [string, string] => !!entry[1]));
}

function TextFields() {
  const { t } = useTranslation("workflow");
  const required = (message: string) => [{ required: true, whitespace: true, message }];
  return (
    <div>
      <Form.Item
        name="key"
        label={t("model.key")}
        extra={t("diagram.sameHelp")}
        rules={required(t("model.keyMissing"))}
      >
        <Input maxLength={64} />
      </Form.Item>
      <Form.Item name="name" label={t("model.name")} rules={required(t("model.nameMissing"))}>
        <Input maxLength={100} />
      </Form.Item>
      <Form.Item name="category" label={t("model.category")}>
        <CategorySelect />
      </Form.Item>
      <Form.Item name="description" label={t("model.description")}>
        <Input.TextArea maxLength={500} showCount autoSize={{ minRows: 2, maxRows: 6 }} />
      </Form.Item>
    </div>
  );
}

/** What replacing means, and what the deployment would stumble over. */
function TargetNotes({ model, diagram }: { model: Model; diagram: Diagram | null }) {
  const { t } = useTranslation("workflow");
  const other = diagram && (diagram.key !== model.key || diagram.name !== model.name);
  return (
    <>
      <Alert type="info" title={t("diagram.replaceAbout")} />
      {other ? (
        <Alert
          type="warning"
          title={t("diagram.otherNames", {
            key: diagram.key,
            name: diagram.name,
            ownKey: model.key,
            ownName: model.name,
          })}
        />
      ) : null}
    </>
  );
}
