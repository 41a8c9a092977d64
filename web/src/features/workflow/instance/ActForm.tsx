import { Button, Flex, Form, type FormInstance, Input, Radio, Select } from "antd";
import { useRef } from "react";
import { RefSelect } from "@/kernel/crud";
import { ActDialog } from "@/kernel/form";
import { useTranslation } from "@/kernel/i18n";
import { confirmLeave, Upload } from "@/kernel/ui";
import type { Act } from "./acts";
import type { ActKey, ActValues, InstanceData } from "./calls";
import { personText } from "./duration";
import { NextPeople } from "./NextPeople";
import type { NodeSetting } from "./nodeSetting";
import { ReturnTo } from "./ReturnTo";
import { flatTasks, taskStatus } from "./wire";

/** The most files the server takes with one decision. */
const MOST_FILES = 20;
const users = "/system/user/list-all-simple";

type Part = "user" | "users" | "signType" | "target" | "signer" | "next" | "signature" | "files" | "task";

interface Shape {
  parts: Part[];
  /** Whether an opinion is asked for, and whether it may be left out. */
  reason: "required" | "optional" | "none";
  danger?: boolean;
  max?: number;
}

const shapes: Record<ActKey, Shape> = {
  approve: { parts: ["next", "signature", "files"], reason: "optional" },
  reject: { parts: ["files"], reason: "required", danger: true },
  transfer: { parts: ["user"], reason: "optional" },
  delegate: { parts: ["user"], reason: "required" },
  return: { parts: ["target"], reason: "required", danger: true },
  addSign: { parts: ["signType", "users"], reason: "required" },
  removeSign: { parts: ["signer"], reason: "required", danger: true },
  copy: { parts: ["users"], reason: "optional" },
  comment: { parts: [], reason: "required", max: 500 },
  withdraw: { parts: [], reason: "none", danger: true },
  claim: { parts: [], reason: "none" },
  urge: { parts: [], reason: "optional", max: 200 },
  cancel: { parts: [], reason: "required", danger: true },
  adminAssign: { parts: ["task", "user"], reason: "required" },
  adminApprove: { parts: ["task"], reason: "required" },
  adminReject: { parts: ["task"], reason: "required", danger: true },
  adminCancel: { parts: [], reason: "required", danger: true },
};

interface Props {
  act: Act;
  data: InstanceData;
  setting: NodeSetting;
  /** The form of the instance as it is filled in now, for the prediction of who follows. */
  variables: Record<string, unknown>;
  onSubmit: (values: ActValues) => Promise<void>;
  onClose: () => void;
}

/** The dialog of an act: what it does, what it needs to know, and the opinion. */
export function ActForm(props: Props) {
  const { act, setting, onSubmit, onClose } = props;
  const { t } = useTranslation("workflow");
  const shape = shapes[act.key];
  const form = useRef<FormInstance<ActValues>>(null);
  const sent = useRef(false);
  const close = async () => {
    const typed = String(form.current?.getFieldValue("reason") ?? "").trim();
    if (sent.current || !typed || (await confirmLeave())) onClose();
  };
  const submit = async (values: ActValues) => {
    await onSubmit(values);
    sent.current = true;
  };
  const wanted = shape.reason === "required" || (act.key === "approve" && setting.wantsOpinion);
  return (
    <ActDialog<ActValues>
      open
      title={act.label}
      okText={act.label}
      danger={shape.danger}
      about={t(`instance.about.${act.key}`)}
      initial={{ signType: "before", taskId: act.target.taskId }}
      onSubmit={submit}
      onClose={() => void close()}
    >
      {(instance) => {
        form.current = instance;
        return (
          <>
            {shape.parts
              .filter((part) => part !== "files")
              .map((part) => (
                <PartOf key={part} part={part} {...props} />
              ))}
            {shape.reason === "none" ? null : (
              <Opinion form={instance} act={act.key} required={wanted} max={shape.max ?? 2000} />
            )}
            {shape.parts.includes("files") ? <PartOf part="files" {...props} /> : null}
          </>
        );
      }}
    </ActDialog>
  );
}

interface OpinionProps {
  form: FormInstance<ActValues>;
  act: ActKey;
  required: boolean;
  max: number;
}

/** The opinion, with phrases that are often written. */
function Opinion({ form, act, required, max }: OpinionProps) {
  const { t } = useTranslation("workflow");
  const label = act === "comment" ? "comment" : act === "approve" || act === "reject" ? "opinion" : "reason";
  const phrases = t(`instance.phrases.${act}`, { defaultValue: "" }).split("|").filter(Boolean);
  return (
    <>
      <Form.Item
        name="reason"
        label={t(`instance.${label}`)}
        style={{ marginBottom: 28 }}
        rules={[{ required, whitespace: required, message: t(`instance.${label}Missing`) }]}
      >
        <Input.TextArea rows={4} maxLength={max} showCount />
      </Form.Item>
      {phrases.length > 0 ? (
        <Flex gap={8} wrap style={{ marginBottom: 16 }} role="group" aria-label={t("instance.phrase")}>
          {phrases.map((phrase) => (
            <Button key={phrase} size="small" onClick={() => form.setFieldsValue({ reason: phrase })}>
              {phrase}
            </Button>
          ))}
        </Flex>
      ) : null}
    </>
  );
}

function PartOf({ part, act, data, setting, variables }: Props & { part: Part }) {
  const { t } = useTranslation("workflow");
  const needed = (key: string) => [{ required: true, message: t(key) }];
  switch (part) {
    case "user":
      return (
        <Form.Item name="userId" label={t("instance.person")} rules={needed("instance.personMissing")}>
          <RefSelect path={users} />
        </Form.Item>
      );
    case "users":
      return (
        <Form.Item name="userIds" label={t("instance.people")} rules={needed("instance.personMissing")}>
          <RefSelect path={users} multiple />
        </Form.Item>
      );
    case "signType":
      return (
        <Form.Item name="signType" label={t("instance.signType")} required>
          <Radio.Group
            options={(["before", "after"] as const).map((value) => ({
              value,
              label: t(`instance.sign.${value}`),
            }))}
          />
        </Form.Item>
      );
    case "target":
      return <ReturnTo taskId={act.target.taskId} />;
    case "signer":
      return (
        <Form.Item name="signer" label={t("instance.signer")} rules={needed("instance.signerMissing")}>
          <Select options={signersOf(data, act.target.taskId)} />
        </Form.Item>
      );
    case "task":
      return (
        <Form.Item name="taskId" label={t("instance.task")} rules={needed("instance.taskMissing")}>
          <Select options={openTasks(data)} />
        </Form.Item>
      );
    case "next":
      return <NextPeople taskId={act.target.taskId} data={data} variables={variables} />;
    case "files":
      return (
        <Form.Item name="attachments" label={t("instance.attachments")} extra={t("instance.attachmentsHelp")}>
          <Upload slot="document" max={MOST_FILES} />
        </Form.Item>
      );
    case "signature":
      return setting.wantsSignature ? (
        <Form.Item
          name="signature"
          label={t("instance.signature")}
          extra={t("instance.signatureHelp")}
          rules={needed("instance.signatureMissing")}
        >
          <Upload slot="image" />
        </Form.Item>
      ) : null;
  }
}

function signersOf(data: InstanceData, parent: string) {
  const task = flatTasks(data.tasks).find((one) => one.id === parent);
  return (task?.children ?? [])
    .filter((signer) => signer.endTime === null)
    .map((signer) => ({ value: signer.id, label: personText(signer.assigneeUser ?? signer.ownerUser) }));
}

function openTasks(data: InstanceData) {
  return flatTasks(data.tasks)
    .filter((task) => task.endTime === null && task.status === taskStatus.open)
    .map((task) => ({
      value: task.id,
      label: [task.name, personText(task.assigneeUser)].filter(Boolean).join(" · "),
    }));
}
