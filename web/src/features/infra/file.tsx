import { Button, Tag } from "antd";
import { lazy, useState } from "react";
import { type BaseRow, type CrudOptions, CrudPage, entityOf, RefText, useCrudPage } from "@/kernel/crud";
import { OnDemand } from "@/kernel/crud/parts";
import { t, useTranslation } from "@/kernel/i18n";
import { FileImage, FileLink } from "@/kernel/upload/files";
import { formatBytes } from "@/kernel/upload/slots";

const UploadDialog = lazy(() => import("./UploadDialog").then((part) => ({ default: part.UploadDialog })));

interface StoredFile extends BaseRow {
  userId: number;
  name: string;
  path: string;
  size: number;
  type: string;
  slot: string;
  owner: string;
  ownerId: number;
  sha256: string;
  createTime: number;
}

const entity = entityOf("infra/file");

const options: CrudOptions<StoredFile> = {
  ns: "infra",
  description: "infra:file.about",
  locked: (row) => (row.owner ? t("infra:file.bound") : ""),
  toolbar: (page) => <UploadButton onDone={page.refresh} />,
  detailExtra: (row) => <Preview row={row} />,
  columns: [
    { name: "name", search: true, width: 260, render: (_, row) => <FileLink id={row.id} name={row.name} /> },
    { name: "type", search: true },
    { name: "size", render: (_, row) => formatBytes(row.size) },
    {
      name: "slot",
      width: 100,
      render: (_, row) => t(`infra:file.slot.${row.slot}`, { defaultValue: row.slot }),
    },
    { name: "userId", render: (_, row) => <RefText path="/system/user/simple-list" value={row.userId} /> },
    {
      name: "owner",
      render: (_, row) => (row.owner ? `${row.owner} #${row.ownerId}` : <Tag>{t("infra:file.unused")}</Tag>),
    },
    { name: "path", search: true, optional: true },
    { name: "createTime", search: "range" },
  ],
};

/** Every stored file of the tenant; those that nobody uses can be removed. */
export default function FilePage() {
  useTranslation("infra");
  const page = useCrudPage<StoredFile>(entity, options);
  return <CrudPage page={page} options={options} name="infra/file" />;
}

function Preview({ row }: { row: StoredFile }) {
  const { t: text } = useTranslation("infra");
  return (
    <dl>
      <dt>SHA-256</dt>
      <dd style={{ margin: 0, overflowWrap: "anywhere" }}>
        <code>{row.sha256}</code>
      </dd>
      {row.type.startsWith("image/") ? (
        <>
          <dt>{text("file.preview")}</dt>
          <dd style={{ margin: 0 }}>
            <FileImage id={row.id} alt={row.name} width="100%" />
          </dd>
        </>
      ) : null}
    </dl>
  );
}

function UploadButton({ onDone }: { onDone: () => Promise<void> }) {
  const { t: text } = useTranslation("infra");
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button type="primary" onClick={() => setOpen(true)}>
        {text("file.upload")}
      </Button>
      <OnDemand open={open}>
        <UploadDialog open={open} onDone={onDone} onClose={() => setOpen(false)} />
      </OnDemand>
    </>
  );
}
