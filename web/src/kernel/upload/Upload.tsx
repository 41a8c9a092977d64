import { DeleteOutlined, UploadOutlined } from "@ant-design/icons";
import { Button, Flex, Typography } from "antd";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { FileLink } from "./files";
import type { UploadedFile, UploadSlot } from "./resumable";
import { formatBytes, refusal, slotRule, typeNames } from "./slots";
import { IconButton, TaskRow } from "./TaskRow";
import { useUploads } from "./useUploads";

interface Props {
  id?: string;
  slot: UploadSlot;
  /** Ids of stored files, as the entity keeps them. */
  value?: number | number[] | null;
  /** A number for one file (null when removed), a list when `max` is above 1. */
  onChange?: (value: number | number[] | null) => void;
  max?: number;
  disabled?: boolean;
}

function toList(value: Props["value"]): number[] {
  if (value === null || value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}

/** Uploads files in resumable chunks with rate, rest time, pause and resume. */
export function Upload({ id, slot, value, onChange, max = 1, disabled }: Props) {
  const { t } = useTranslation("kernel");
  const [names, setNames] = useState<Record<number, string>>({});
  const [refused, setRefused] = useState("");
  const ids = toList(value);
  const present = useRef(ids);
  present.current = ids;

  const give = (list: number[]) => {
    present.current = list;
    onChange?.(max > 1 ? list : (list[0] ?? null));
  };
  const uploads = useUploads(slot, (file: UploadedFile) => {
    setNames((known) => ({ ...known, [file.id]: file.name }));
    give([...present.current, file.id]);
  });

  const choose = (files: File[]) => {
    setRefused("");
    let room = max - present.current.length - uploads.tasks.length;
    for (const file of files) {
      const reason = room > 0 ? refusal(file, slot) : t("upload.tooMany", { max });
      if (reason) {
        setRefused(reason);
        continue;
      }
      room -= 1;
      uploads.add(file);
    }
  };

  return (
    <Flex
      vertical
      gap={8}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        if (!disabled) choose([...event.dataTransfer.files]);
      }}
    >
      {disabled ? null : <Chooser id={id} slot={slot} max={max} onChoose={choose} />}
      {refused ? (
        <Typography.Text type="danger" role="alert">
          {refused}
        </Typography.Text>
      ) : null}
      {ids.map((fileId) => (
        <Flex key={fileId} gap={8} align="center">
          <FileLink id={fileId} name={names[fileId]} />
          {disabled ? null : (
            <IconButton
              icon={<DeleteOutlined />}
              label={t("upload.nameOf", { action: t("upload.remove"), name: names[fileId] ?? fileId })}
              onClick={() => give(ids.filter((other) => other !== fileId))}
            />
          )}
        </Flex>
      ))}
      {uploads.tasks.map((task) => (
        <TaskRow key={task.key} task={task} {...uploads} />
      ))}
    </Flex>
  );
}

interface ChooserProps {
  id: string | undefined;
  slot: UploadSlot;
  max: number;
  onChoose: (files: File[]) => void;
}

function Chooser({ id, slot, max, onChoose }: ChooserProps) {
  const { t } = useTranslation("kernel");
  const input = useRef<HTMLInputElement>(null);
  const rule = slotRule(slot);
  return (
    <Flex gap={8} align="center" wrap>
      <Button id={id} icon={<UploadOutlined />} onClick={() => input.current?.click()}>
        {t("upload.choose")}
      </Button>
      <Typography.Text type="secondary">
        {t(max > 1 ? "upload.hintMany" : "upload.hint", {
          types: typeNames(rule),
          size: formatBytes(rule.maxBytes),
          max,
        })}
      </Typography.Text>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={t("upload.choose")}
        multiple={max > 1}
        accept={rule.extensions.map((extension) => `.${extension}`).join(",")}
        onChange={(event) => {
          onChoose([...(event.target.files ?? [])]);
          event.target.value = "";
        }}
      />
    </Flex>
  );
}
