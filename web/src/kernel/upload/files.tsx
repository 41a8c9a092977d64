import { DownloadOutlined } from "@ant-design/icons";
import { useQuery } from "@tanstack/react-query";
import { Button, Skeleton } from "antd";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { useAccess } from "@/kernel/access/access";
import { download, fetchBlob, get } from "@/kernel/api/client";
import { formatBytes } from "./slots";

export interface FileInfo {
  id: number;
  name: string;
  size?: number;
  mime?: string;
}

/** Name and size of a stored file; null while unknown, and for those who may not list files. */
export function useFileInfo(id: number): FileInfo | null {
  const { hasPermission } = useAccess();
  const query = useQuery({
    queryKey: ["file", id],
    queryFn: ({ signal }) => get<FileInfo>("/infra/file/get", { id }, { silent: true, signal }),
    enabled: hasPermission(["infra:file:query"]),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  return query.data ?? null;
}

interface FileProps {
  id: number;
  /** Known name; without it the server is asked. */
  name?: string;
}

/** A stored file as a link that downloads it with the session's token. */
export function FileLink({ id, name }: FileProps) {
  const { t } = useTranslation("kernel");
  return name ? (
    <LinkTo id={id} name={name} known />
  ) : (
    <AskedLink id={id} fallback={t("upload.file", { id })} />
  );
}

function AskedLink({ id, fallback }: { id: number; fallback: string }) {
  const info = useFileInfo(id);
  return <LinkTo id={id} name={info?.name ?? fallback} size={info?.size} known={!!info} />;
}

interface LinkProps {
  id: number;
  name: string;
  size?: number;
  /** Whether `name` is the file's own; otherwise the server's answer names the download. */
  known: boolean;
}

function LinkTo({ id, name, size, known }: LinkProps) {
  const [busy, setBusy] = useState(false);
  const save = async () => {
    setBusy(true);
    try {
      await download("/infra/file/download", { id }, known ? name : undefined);
    } catch {
      // The client has shown why.
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button type="link" size="small" icon={<DownloadOutlined />} loading={busy} onClick={() => void save()}>
      {size ? `${name} (${formatBytes(size)})` : name}
    </Button>
  );
}

interface ImageProps {
  id: number;
  alt: string;
  width?: number | string;
  height?: number | string;
}

/** A stored image; fetched with the token because an <img> cannot send one. */
export function FileImage({ id, alt, width = 120, height = "auto" }: ImageProps) {
  const { data: blob } = useQuery({
    queryKey: ["file-blob", id],
    queryFn: ({ signal }) => fetchBlob("/infra/file/download", { id }, { silent: true, signal }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  const [address, setAddress] = useState("");
  useEffect(() => {
    if (!blob) return;
    const url = URL.createObjectURL(blob);
    setAddress(url);
    return () => URL.revokeObjectURL(url);
  }, [blob]);
  if (!address) return <Skeleton.Image style={{ width }} />;
  return <img src={address} alt={alt} style={{ width, height, maxWidth: "100%" }} />;
}
