import { useQuery } from "@tanstack/react-query";
import { Button, Drawer, Flex, Spin } from "antd";
import { useEffect, useState } from "react";
import { fetchBlob, saveBlob } from "@/kernel/api/client";
import { useTranslation } from "@/kernel/i18n";
import { EmptyState, ErrorState, useMobile } from "@/kernel/ui";
import type { FileView } from "./wire";

function kindOf(file: FileView): "pdf" | "image" | "none" {
  const mime = file.mime ?? "";
  if (mime === "application/pdf" || (!mime && /\.pdf$/i.test(file.name))) return "pdf";
  if (/^image\/(png|jpeg|gif|webp)$/.test(mime)) return "image";
  return "none";
}

/** Whether a browser can show the file by itself. */
export function previewable(file: FileView): boolean {
  return kindOf(file) !== "none";
}

interface Props {
  file: FileView | null;
  onClose: () => void;
}

/** A file shown beside the page; what cannot be shown can be downloaded. */
export function FilePreview({ file, onClose }: Props) {
  const { t } = useTranslation("thesis");
  const mobile = useMobile();
  const query = useQuery({
    queryKey: ["file-blob", file?.id],
    queryFn: ({ signal }) => fetchBlob("/infra/file/download", { id: file?.id }, { silent: true, signal }),
    enabled: file !== null,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  return (
    <Drawer
      open={file !== null}
      onClose={onClose}
      title={file?.name}
      size={mobile ? "100%" : 860}
      destroyOnHidden
      extra={
        <Button disabled={!query.data} onClick={() => file && query.data && saveBlob(query.data, file.name)}>
          {t("file.download")}
        </Button>
      }
    >
      {query.error ? <ErrorState error={query.error} onRetry={() => void query.refetch()} /> : null}
      {query.isFetching && !query.data ? (
        <Flex justify="center" style={{ padding: 48 }}>
          <output aria-label={t("file.loading")}>
            <Spin />
          </output>
        </Flex>
      ) : null}
      {file && query.data ? <Shown file={file} blob={query.data} /> : null}
    </Drawer>
  );
}

/** The browser's own viewer; where it is forbidden or missing, that is said instead of a blank box. */
function Shown({ file, blob }: { file: FileView; blob: Blob }) {
  const { t } = useTranslation("thesis");
  const [address, setAddress] = useState("");
  const [refused, setRefused] = useState(false);
  const pdf = kindOf(file) === "pdf";
  useEffect(() => {
    const refuse = () => setRefused(true);
    document.addEventListener("securitypolicyviolation", refuse);
    const url = URL.createObjectURL(pdf ? new Blob([blob], { type: "application/pdf" }) : blob);
    setAddress(url);
    return () => {
      document.removeEventListener("securitypolicyviolation", refuse);
      URL.revokeObjectURL(url);
    };
  }, [blob, pdf]);
  if (refused) return <EmptyState title={t("file.noViewer")} hint={t("file.noViewerHint")} />;
  if (!address) return null;
  if (pdf) return <iframe className="th-preview" src={address} title={file.name} />;
  return <img src={address} alt={file.name} style={{ maxWidth: "100%" }} />;
}
