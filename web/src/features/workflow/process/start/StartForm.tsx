import { Alert, Button, Flex } from "antd";
import { useRef } from "react";
import { useNavigate } from "react-router";
import { useTranslation } from "@/kernel/i18n";
import { formatTime } from "@/kernel/rules";
import { PageHeader } from "@/kernel/ui";
import { FormView, type FormViewHandle } from "../../form/FormView";
import type { FormValues } from "../../form/values";
import type { Startable } from "../wire";
import { PathPreview } from "./PathPreview";
import { useStartForm } from "./useStartForm";
import "../process.css";

interface Props {
  definition: Startable;
  /** What an earlier application was sent with. */
  begin: FormValues | undefined;
}

/** The form of a process beside the path it leads to. */
export function StartForm({ definition, begin }: Props) {
  const { t } = useTranslation(["workflow", "kernel"]);
  const navigate = useNavigate();
  const view = useRef<FormViewHandle>(null);
  const form = useStartForm(definition, begin, view);
  const { path, start, draft } = form;
  return (
    <div>
      <PageHeader title={definition.name} description={definition.description} />
      {draft ? (
        <Alert
          type="info"
          style={{ marginBottom: 16 }}
          title={t("kernel:form.draftFound", { time: formatTime(draft.at) })}
          action={
            <Flex gap={8}>
              <Button size="small" type="primary" onClick={form.restore}>
                {t("kernel:form.draftRestore")}
              </Button>
              <Button size="small" onClick={form.drop}>
                {t("kernel:form.draftDrop")}
              </Button>
            </Flex>
          }
        />
      ) : null}
      <div className="pr-two">
        <div className="pr-box">
          {definition.formFields.length === 0 ? <p className="pr-quiet">{t("start.noForm")}</p> : null}
          <FormView
            key={start.key}
            ref={view}
            fields={definition.formFields}
            values={start.values}
            permissions={path.data?.formFieldsPermission}
            unlisted="write"
            onChange={form.changed}
          />
        </div>
        <PathPreview
          nodes={path.data?.activityNodes}
          error={path.error}
          picks={form.picks}
          onPick={form.pick}
          tried={form.tried}
        />
      </div>
      {form.problem ? (
        <Alert type="error" role="alert" title={form.problem} style={{ marginTop: 16 }} />
      ) : null}
      <div className="pr-acts">
        <Button type="primary" loading={form.busy} onClick={() => void form.send()}>
          {t("start.send", { name: definition.name })}
        </Button>
        <Button onClick={() => void navigate("/bpm/task/create")}>{t("start.other")}</Button>
      </div>
    </div>
  );
}
