import { useQuery } from "@tanstack/react-query";
import { Alert, Form, Radio, Skeleton } from "antd";
import { errorText } from "@/kernel/api/errors";
import { useTranslation } from "@/kernel/i18n";
import { returnTargets } from "./calls";

/** The earlier decisions a task can be sent back to. */
export function ReturnTo({ taskId }: { taskId: string }) {
  const { t } = useTranslation("workflow");
  const { data, error, isPending } = useQuery({
    queryKey: ["bpm-return", taskId],
    queryFn: () => returnTargets(taskId),
    gcTime: 0,
    retry: false,
  });
  if (isPending) return <Skeleton active paragraph={{ rows: 1 }} />;
  if (error) return <Alert type="error" role="alert" title={errorText(error)} />;
  return (
    <>
      {data.length === 0 ? <Alert type="info" title={t("instance.noTarget")} /> : null}
      <Form.Item
        name="target"
        label={t("instance.target")}
        rules={[
          { required: true, message: t(data.length > 0 ? "instance.targetMissing" : "instance.noTarget") },
        ]}
      >
        <Radio.Group
          vertical
          options={data.map((node) => ({ value: node.taskDefinitionKey, label: node.name }))}
        />
      </Form.Item>
    </>
  );
}
