import { Alert, Button, Modal, Skeleton } from "antd";
import { useEffect, useState } from "react";
import { errorText } from "@/kernel/api/errors";
import { useTranslation } from "@/kernel/i18n";
import { toast } from "@/kernel/ui";
import { write } from "../canvas/drawing";
import type { Sheet } from "../useDrawing";
import { Highlighted } from "./Highlighted";
import { jsonOf } from "./json";

interface Props {
  sheet: Sheet;
  kind: "xml" | "json";
  onClose: () => void;
}

interface Read {
  text?: string;
  lost: string[];
  error?: unknown;
}

/** The file as it would be written now, to read and copy. */
export function PreviewDialog({ sheet, kind, onClose }: Props) {
  const { t } = useTranslation(["designer", "workflow"]);
  const [read, setRead] = useState<Read>({ lost: [] });
  useEffect(() => {
    let gone = false;
    write(sheet)
      .then(({ text, lost }) => ({ text: kind === "xml" ? text : jsonOf(text), lost }))
      .catch((error: unknown) => ({ lost: [], error }))
      .then((result) => {
        if (!gone) setRead(result);
      });
    return () => {
      gone = true;
    };
  }, [sheet, kind]);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(read.text ?? "");
      toast.success(t("workflow:xml.copied"));
    } catch {
      toast.error(t("workflow:xml.copyFailed"));
    }
  };
  return (
    <Modal
      open
      title={t("preview.title", { kind: kind.toUpperCase() })}
      onCancel={onClose}
      width="min(960px, 100vw)"
      footer={
        <Button type="primary" disabled={!read.text} onClick={() => void copy()}>
          {t("preview.copy")}
        </Button>
      }
    >
      {read.error ? <Alert type="error" role="alert" title={errorText(read.error)} /> : null}
      {read.lost.length > 0 ? (
        <Alert type="warning" title={t("loss.title")} description={read.lost.join("；")} />
      ) : null}
      {read.text === undefined && !read.error ? <Skeleton active /> : null}
      {read.text === undefined ? null : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled region has to be reachable by keyboard
        <section className="designer-code" tabIndex={0} aria-label={t("preview.text")}>
          <pre>
            <Highlighted text={read.text} kind={kind} />
          </pre>
        </section>
      )}
    </Modal>
  );
}
