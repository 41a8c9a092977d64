import { DeleteOutlined, PauseOutlined, PlayCircleOutlined } from "@ant-design/icons";
import { Button, Flex, Progress, Typography } from "antd";
import type { TFunction } from "i18next";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { formatBytes, restTime } from "./slots";
import type { UploadTask } from "./useUploads";

interface TaskRowProps {
  task: UploadTask;
  pause: (key: string) => void;
  resume: (key: string) => void;
  cancel: (key: string) => void;
}

/** One running, paused or failed upload. */
export function TaskRow({ task, pause, resume, cancel }: TaskRowProps) {
  const { t } = useTranslation("kernel");
  const percent = task.size > 0 ? Math.floor((task.progress.loaded / task.size) * 100) : 0;
  const named = (action: string) => t("upload.nameOf", { action, name: task.name });
  return (
    <div>
      <Flex gap={8} align="center">
        <Typography.Text ellipsis style={{ flex: 1 }}>
          {task.name}
        </Typography.Text>
        {task.state === "running" ? (
          <IconButton
            icon={<PauseOutlined />}
            label={named(t("upload.pause"))}
            onClick={() => pause(task.key)}
          />
        ) : (
          <IconButton
            icon={<PlayCircleOutlined />}
            label={named(t("upload.resume"))}
            onClick={() => resume(task.key)}
          />
        )}
        <IconButton
          icon={<DeleteOutlined />}
          label={named(t("upload.remove"))}
          onClick={() => cancel(task.key)}
        />
      </Flex>
      <Progress
        percent={percent}
        showInfo={false}
        status={task.state === "failed" ? "exception" : task.state === "running" ? "active" : "normal"}
        aria-label={task.name}
      />
      <Typography.Text type={task.state === "failed" ? "danger" : "secondary"} role="status">
        {statusText(task, percent, t)}
      </Typography.Text>
    </div>
  );
}

function statusText(task: UploadTask, percent: number, t: TFunction<"kernel">): string {
  if (task.state === "failed") return t("upload.failed", { reason: task.reason });
  if (task.state === "paused") return t("upload.paused", { percent });
  if (task.progress.phase !== "sending") return t("upload.checking");
  const { rate, total, loaded } = task.progress;
  return t("upload.progress", {
    percent,
    rate: formatBytes(Math.round(rate)),
    rest: restTime(rate > 0 ? (total - loaded) / rate : Number.POSITIVE_INFINITY),
  });
}

export function IconButton({
  icon,
  label,
  onClick,
}: {
  icon: ReactNode;
  label: string;
  onClick: () => void;
}) {
  return <Button type="text" size="small" icon={icon} aria-label={label} title={label} onClick={onClick} />;
}
