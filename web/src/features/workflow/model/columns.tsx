import { Form, Input, Switch, Tag, Tooltip } from "antd";
import { type ReactElement, useState } from "react";
import { type ColumnSpec, RefSelect } from "@/kernel/crud";
import { DictTag } from "@/kernel/dict";
import { t, useTranslation } from "@/kernel/i18n";
import { confirmBox, TimeText, toast } from "@/kernel/ui";
import { CategorySelect } from "./CategorySelect";
import { setState } from "./calls";
import { ACTIVE, FORM_BUSINESS, FORM_RECORD, type Model, SUSPENDED } from "./entity";

interface Control {
  id?: string;
  value?: unknown;
  onChange?: (value: unknown) => void;
}

/** A control that counts only for one kind of form says so while another is chosen. */
function ForFormType({ kind, children }: { kind: number; children: (locked: boolean) => ReactElement }) {
  const chosen = Form.useWatch("formType") as number | string | undefined;
  return children(Number(chosen) !== kind);
}

function FormChoice({ id, value, onChange }: Control) {
  useTranslation("workflow");
  return (
    <ForFormType kind={FORM_RECORD}>
      {(locked) => (
        <RefSelect
          id={id}
          path="/bpm/form/list-all-simple"
          value={locked ? undefined : (value as number | undefined)}
          onChange={onChange}
          disabled={locked}
          placeholder={locked ? t("workflow:model.onlyRecord") : undefined}
        />
      )}
    </ForFormType>
  );
}

function PathInput({ id, value, onChange, example }: Control & { example: string }) {
  useTranslation("workflow");
  return (
    <ForFormType kind={FORM_BUSINESS}>
      {(locked) => (
        <Input
          id={id}
          value={locked ? "" : (value as string | undefined)}
          onChange={(event) => onChange?.(event.target.value)}
          disabled={locked}
          maxLength={200}
          placeholder={locked ? t("workflow:model.onlyBusiness") : example}
        />
      )}
    </ForFormType>
  );
}

/** The form of a model in one line: its name, or the page. */
export function formText(row: { formType: number | null; formName: string; formCustomCreatePath: string }) {
  if (row.formType === null) return t("workflow:model.noForm");
  return row.formType === FORM_RECORD ? row.formName : row.formCustomCreatePath;
}

interface StateProps {
  row: Model;
  /** Absent when the caller may not change it. */
  onChanged?: () => Promise<void>;
}

/** Whether the newest version can be started; switching it off asks first. */
export function StateSwitch({ row, onChanged }: StateProps) {
  useTranslation("workflow");
  const [busy, setBusy] = useState(false);
  const definition = row.processDefinition;
  if (!definition) return <Tag>{t("workflow:model.draft")}</Tag>;
  const active = definition.suspensionState === ACTIVE;
  const text = t(active ? "workflow:model.active" : "workflow:model.suspended");
  if (!onChanged) return <Tag color={active ? "success" : "warning"}>{text}</Tag>;
  const change = async (on: boolean) => {
    const content = t("workflow:model.suspendAsk", { name: row.name, count: definition.running });
    const question = { content, okText: t("workflow:model.suspend") };
    if (!on && !(await confirmBox(question))) return;
    setBusy(true);
    try {
      await setState(row.id, on ? ACTIVE : SUSPENDED);
      toast.success(t(on ? "workflow:model.nowActive" : "workflow:model.nowSuspended", { name: row.name }));
      await onChanged();
    } catch (error) {
      console.error(error); // the client has shown why
    } finally {
      setBusy(false);
    }
  };
  return (
    <Tooltip title={text}>
      <Switch
        size="small"
        checked={active}
        loading={busy}
        aria-label={t("workflow:model.stateOf", { name: row.name, state: text })}
        onClick={(on, event) => {
          event.stopPropagation();
          void change(on);
        }}
      />
    </Tooltip>
  );
}

function Version({ row }: { row: Model }) {
  const definition = row.processDefinition;
  if (!definition) return null;
  return (
    <>
      v{definition.version} · <TimeText value={definition.deploymentTime} />
    </>
  );
}

/** The columns of models, the first of them for a phone; `state` draws the cell of the state. */
export function modelColumns(state: (row: Model) => ReactElement): ColumnSpec<Model>[] {
  return [
    { name: "name", search: true },
    {
      name: "hasDiagram",
      label: "workflow:model.state",
      width: 100,
      render: (_, row) => state(row),
    },
    {
      name: "processDefinition",
      label: "workflow:model.version",
      width: 180,
      render: (_, row) => <Version row={row} />,
    },
    {
      name: "key",
      search: true,
      width: 160,
      help: "workflow:model.keyHelp",
      input: ({ id, value, onChange, row }) => (
        <Input
          id={id}
          value={value as string}
          onChange={(event) => onChange?.(event.target.value)}
          disabled={row !== null}
          maxLength={64}
        />
      ),
    },
    {
      name: "category",
      width: 130,
      render: (_, row) => row.categoryName || row.category,
      input: ({ id, value, onChange }) => (
        <CategorySelect id={id} value={value as string} onChange={onChange} />
      ),
    },
    {
      name: "formType",
      width: 160,
      label: "workflow:model.form",
      render: (_, row) => (
        <>
          {row.formType === null ? null : <DictTag type="bpm_model_form_type" value={row.formType} />}
          {formText(row)}
        </>
      ),
    },
    {
      name: "formId",
      table: false,
      detail: false,
      input: ({ id, value, onChange }) => <FormChoice id={id} value={value} onChange={onChange} />,
    },
    {
      name: "formCustomCreatePath",
      table: false,
      input: (props) => <PathInput {...props} example="/bpm/oa/leave/create" />,
    },
    {
      name: "formCustomViewPath",
      table: false,
      input: (props) => <PathInput {...props} example="/bpm/oa/leave/detail" />,
    },
    { name: "startUserIds", table: false, help: "workflow:model.startersHelp" },
    { name: "startDeptIds", table: false },
    { name: "managerUserIds", table: false, help: "workflow:model.managersHelp" },
    { name: "visible", table: false, initial: true },
    { name: "description", optional: true },
    { name: "updateTime", optional: true },
  ];
}
