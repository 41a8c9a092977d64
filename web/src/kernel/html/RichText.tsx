import { Skeleton } from "antd";
import { type ComponentType, useCallback, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { ErrorState } from "@/kernel/ui/states";
import { RICH_TEXT_HEIGHT, type RichTextProps } from "./richTextProps";

type Loaded = { editor: ComponentType<RichTextProps> } | { error: unknown } | null;

/** The rich text editor, fetched when it is first shown; a failed fetch shows the error and a retry. */
export function RichText(props: RichTextProps) {
  const { t } = useTranslation("kernel");
  const [loaded, setLoaded] = useState<Loaded>(null);
  const load = useCallback(() => {
    setLoaded(null);
    import("./RichTextEditor")
      .then((module) => setLoaded({ editor: module.RichTextEditor }))
      .catch((error: unknown) => setLoaded({ error }));
  }, []);
  useEffect(load, [load]);
  if (!loaded) {
    return (
      <div
        role="status"
        aria-label={t("richText.loading")}
        style={{ minHeight: props.height ?? RICH_TEXT_HEIGHT }}
      >
        <Skeleton active paragraph={{ rows: 5 }} />
      </div>
    );
  }
  if ("error" in loaded) return <ErrorState title={t("richText.loadFailed")} onRetry={load} />;
  const Editor = loaded.editor;
  return <Editor {...props} />;
}
