import { useQuery } from "@tanstack/react-query";
import { Alert, Button, DatePicker, Form, Input, Skeleton } from "antd";
import { useNavigate, useSearchParams } from "react-router";
import { DictSelect } from "@/kernel/dict";
import { requiredMark } from "@/kernel/form";
import { useTranslation } from "@/kernel/i18n";
import { EmptyState, ErrorState, PageHeader } from "@/kernel/ui";
import { useStartable } from "../process/start/calls";
import { PathPreview } from "../process/start/PathPreview";
import { getLeave, LEAVE_PROCESS, type Leave } from "./leave";
import { type LeaveValues, useLeaveForm } from "./useLeaveForm";
import "../process/process.css";

/** Applies for leave, begun with an earlier application when the address names one. */
export default function LeaveCreate() {
  const { t } = useTranslation("workflow");
  const [search] = useSearchParams();
  const from = search.get("from") ?? "";
  const processes = useStartable();
  const earlier = useQuery({
    queryKey: ["/bpm/oa/leave", "get", from],
    queryFn: ({ signal }) => getLeave(from, signal).catch(() => null),
    enabled: from !== "",
    retry: false,
  });
  if (processes.error) return <ErrorState error={processes.error} onRetry={() => void processes.refetch()} />;
  if (processes.isPending || (from !== "" && earlier.isPending))
    return <Skeleton active paragraph={{ rows: 6 }} />;
  const definition = processes.data.find(({ key }) => key === LEAVE_PROCESS);
  if (!definition) return <EmptyState title={t("leave.closed")} hint={t("leave.closedHint")} />;
  return <LeaveForm definition={definition.id} begin={earlier.data ?? undefined} />;
}

function LeaveForm({ definition, begin }: { definition: string; begin: Leave | undefined }) {
  const { t } = useTranslation("workflow");
  const navigate = useNavigate();
  const { form, path, ...leave } = useLeaveForm(definition, begin);
  return (
    <div>
      <PageHeader title={t("leave.title")} description={t("leave.about")} />
      <div className="pr-two">
        <div className="pr-box">
          {leave.problem ? (
            <Alert type="error" role="alert" title={leave.problem} style={{ marginBottom: 16 }} />
          ) : null}
          <Form<LeaveValues>
            form={form}
            name="leave"
            layout="vertical"
            requiredMark={requiredMark}
            validateTrigger="onBlur"
            initialValues={leave.initial}
            scrollToFirstError={{ focus: true }}
            onValuesChange={leave.changed}
            onFinish={(values) => void leave.send(values)}
          >
            <Fields days={leave.days} />
          </Form>
        </div>
        <PathPreview
          nodes={path.data?.activityNodes}
          error={path.error}
          picks={leave.picks}
          onPick={leave.setPicks}
          tried={leave.tried}
        />
      </div>
      <div className="pr-acts">
        <Button type="primary" loading={leave.busy} onClick={() => form.submit()}>
          {t("leave.send")}
        </Button>
        <Button onClick={() => void navigate("/bpm/oa/leave")}>{t("leave.back")}</Button>
      </div>
    </div>
  );
}

function Fields({ days }: { days: number | null }) {
  const { t } = useTranslation(["workflow", "kernel"]);
  const choose = (label: string) => t("kernel:form.requiredChoice", { label });
  const picker = (
    <DatePicker showTime={{ format: "HH:mm" }} format="YYYY-MM-DD HH:mm" style={{ width: "100%" }} />
  );
  return (
    <>
      <Form.Item
        name="type"
        label={t("leave.type")}
        rules={[{ required: true, message: choose(t("leave.type")) }]}
      >
        <DictSelect type="bpm_oa_leave_type" />
      </Form.Item>
      <Form.Item
        name="startTime"
        label={t("leave.from")}
        rules={[{ required: true, message: choose(t("leave.from")) }]}
      >
        {picker}
      </Form.Item>
      <Form.Item
        name="endTime"
        label={t("leave.to")}
        dependencies={["startTime"]}
        extra={
          <span aria-live="polite">
            {days === null ? null : <strong>{t("leave.days", { n: days })}</strong>} {t("leave.daysNote")}
          </span>
        }
        rules={[
          { required: true, message: choose(t("leave.to")) },
          ({ getFieldValue }) => ({
            validator: async (_, to) => {
              const from = getFieldValue("startTime");
              if (from && to?.isBefore(from)) throw new Error(t("leave.order"));
            },
          }),
        ]}
      >
        {picker}
      </Form.Item>
      <Form.Item
        name="reason"
        label={t("leave.reason")}
        rules={[
          {
            required: true,
            whitespace: true,
            message: t("kernel:form.required", { label: t("leave.reason") }),
          },
        ]}
      >
        <Input.TextArea maxLength={500} showCount autoSize={{ minRows: 3, maxRows: 10 }} />
      </Form.Item>
    </>
  );
}
