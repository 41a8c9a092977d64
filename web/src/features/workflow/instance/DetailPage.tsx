import { PrinterOutlined } from "@ant-design/icons";
import { Button, Skeleton } from "antd";
import { lazy, Suspense, useRef, useState } from "react";
import { useSearchParams } from "react-router";
import { useTranslation } from "@/kernel/i18n";
import { EmptyState, ErrorState, PageHeader, useMobile, useUnsaved } from "@/kernel/ui";
import { useTabTitle } from "@/layout";
import type { FormViewHandle } from "../form/FormView";
import { Diagram } from "../viewer/Diagram";
import { ActBar } from "./ActBar";
import type { Act } from "./acts";
import type { InstanceData } from "./calls";
import { FormPanel } from "./FormPanel";
import { Head } from "./Head";
import { Timeline } from "./Timeline";
import { useAct } from "./useAct";
import { useActs, useHistory, useInstance } from "./useInstance";
import "./instance.css";

const ActForm = lazy(() => import("./ActForm").then((part) => ({ default: part.ActForm })));
const PrintSheet = lazy(() => import("./PrintSheet").then((part) => ({ default: part.PrintSheet })));

/** One process instance: its form, its way, its diagram, and all that the reader can do with it. */
export default function DetailPage() {
  const { t } = useTranslation(["workflow", "kernel"]);
  const [params] = useSearchParams();
  const id = params.get("id") ?? "";
  const { data, error, isPending, reload } = useInstance(id, params.get("taskId") ?? "");
  useTabTitle(data?.detail.processInstance.name);
  if (data) return <Loaded key={id} data={data} reload={reload} />;
  return (
    <>
      <PageHeader title={t("instance.title")} />
      {id === "" ? <EmptyState title={t("instance.noId")} hint={t("instance.noIdHint")} /> : null}
      {id !== "" && isPending ? <Skeleton active paragraph={{ rows: 8 }} /> : null}
      {error ? <ErrorState error={error} onRetry={() => void reload()} /> : null}
    </>
  );
}

interface LoadedProps {
  data: InstanceData;
  reload: () => Promise<InstanceData | undefined>;
}

function Loaded({ data, reload }: LoadedProps) {
  const { t } = useTranslation("workflow");
  const mobile = useMobile();
  const form = useRef<FormViewHandle>(null);
  const [dirty, setDirty] = useState(false);
  const [printing, setPrinting] = useState(false);
  const [variables, setVariables] = useState<Record<string, unknown>>({});
  const { acts, setting } = useActs(data);
  const { act, open, close, send } = useAct(reload);
  const history = useHistory(data);
  useUnsaved(dirty);
  const { detail } = data;
  const { processInstance: instance, processDefinition: definition } = detail;

  const begin = async (next: Act) => {
    // What is approved is the form as it stands: a refused field comes first.
    const values = next.key === "approve" && form.current ? await form.current.validate() : {};
    if (values === null) return;
    setVariables(values);
    open(next);
  };
  const bar = <ActBar acts={acts} onAct={(next) => void begin(next)} />;
  return (
    <div className="instance">
      <Head
        instance={instance}
        processName={`${definition.name} v${definition.version}`}
        actions={
          <>
            {mobile ? null : bar}
            <Button icon={<PrinterOutlined aria-hidden />} onClick={() => setPrinting(true)}>
              {t("viewer.print")}
            </Button>
          </>
        }
      />
      <div className="instance-columns">
        <div className="instance-main">
          <section className="instance-card" aria-label={t("instance.form")}>
            <h2>{t("instance.form")}</h2>
            <FormPanel
              // What somebody typed stays while others act; a new task of one's own begins anew.
              key={detail.todoTask?.id ?? "read"}
              ref={form}
              detail={detail}
              onChange={() => setDirty(true)}
            />
          </section>
          <section className="instance-card" aria-label={t("instance.diagram")}>
            <h2>{t("instance.diagram")}</h2>
            <Diagram
              xml={definition.bpmnXml}
              name={instance.name}
              history={history}
              height={mobile ? 280 : 360}
            />
          </section>
        </div>
        <Timeline data={data} />
      </div>
      {mobile ? bar : null}
      <Suspense fallback={null}>
        {act ? (
          <ActForm
            key={act.key}
            act={act}
            data={data}
            setting={setting}
            variables={variables}
            onSubmit={async (values) => {
              await send(act, act.key === "approve" ? { ...values, variables } : values);
              setDirty(false);
            }}
            onClose={close}
          />
        ) : null}
        {printing ? <PrintSheet id={instance.id} detail={detail} onClose={() => setPrinting(false)} /> : null}
      </Suspense>
    </div>
  );
}
