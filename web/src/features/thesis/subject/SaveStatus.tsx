import { Button } from "antd";
import { useTranslation } from "@/kernel/i18n";
import { formatTime } from "@/kernel/rules";
import type { SaveState } from "./useAutosave";

interface Props {
  state: SaveState;
  onReload: () => void;
}

/** Says when the draft was kept, or why not; spoken, because nobody looks there while writing. */
export function SaveStatus({ state, onReload }: Props) {
  const { t } = useTranslation("thesis");
  if (state.kind === "failed") {
    return (
      <span role="alert" className="th-due is-over">
        {t(state.stale ? "subject.saveStale" : "subject.saveFailed", { reason: state.reason })}
        {state.stale ? (
          <Button size="small" onClick={onReload}>
            {t("subject.saveReload")}
          </Button>
        ) : null}
      </span>
    );
  }
  const time = state.kind === "saved" ? formatTime(state.at, "HH:mm") : "";
  return (
    <span role="status" className="th-saved">
      {state.kind === "saving" ? t("subject.saving") : null}
      {state.kind === "saved" ? t(state.auto ? "subject.autosaved" : "subject.savedAt", { time }) : null}
      {state.kind === "idle" ? t("subject.autosaves") : null}
    </span>
  );
}
