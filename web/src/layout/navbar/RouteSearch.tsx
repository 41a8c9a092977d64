import { SearchOutlined } from "@ant-design/icons";
import { lazy, Suspense, useEffect, useState } from "react";
import { useTranslation } from "@/kernel/i18n";
import { NavButton } from "./NavButton";

const FinderDialog = lazy(async () => ({ default: (await import("./FinderDialog")).FinderDialog }));

/** Finds a menu by its title or path; Ctrl+K (⌘K) opens it from anywhere. */
export function RouteSearch() {
  const { t } = useTranslation("layout");
  const [open, setOpen] = useState(false);
  const [needed, setNeeded] = useState(false);
  const show = () => {
    setNeeded(true);
    setOpen(true);
  };
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") {
        event.preventDefault();
        setNeeded(true);
        setOpen(true);
      }
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, []);
  return (
    <>
      <NavButton
        label={t("search.label")}
        aria-keyshortcuts="Control+K"
        icon={<SearchOutlined />}
        onClick={show}
      />
      {needed && (
        <Suspense fallback={null}>
          <FinderDialog open={open} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
