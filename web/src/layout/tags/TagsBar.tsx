import { LeftOutlined, RightOutlined } from "@ant-design/icons";
import { type KeyboardEvent, useLayoutEffect, useRef } from "react";
import { useLocation } from "react-router";
import { useTranslation } from "@/kernel/i18n";
import { NavButton } from "../navbar/NavButton";
import { type Tab, useTags } from "../stores/tags";
import { tabId } from "../views/TabView";
import { revealInRow, scrollSideways } from "./scroll";
import { Tag } from "./Tag";
import { useTabActs } from "./useTabActs";

/** The row of visited pages. */
export function TagsBar() {
  const { t } = useTranslation("layout");
  const { pathname } = useLocation();
  const tabs = useTags((state) => state.tabs);
  const acts = useTabActs();
  const row = useRef<HTMLDivElement>(null);
  useReveal(row, pathname, tabs.length);
  const turn = (pages: number) => {
    if (row.current) scrollSideways(row.current, row.current.scrollLeft + pages * row.current.clientWidth);
  };
  const onKeyDown = (event: KeyboardEvent, tab: Tab) => {
    const goal = movedTo(event.key, tabs.indexOf(tab), tabs);
    if (goal) document.getElementById(tabId(goal.key))?.focus();
    else if (event.key === "Enter" || event.key === " ") acts.show(tab);
    else if (event.key === "Delete" && !tab.affix) void acts.close(tab, "current").then(focusChosen);
    else return;
    event.preventDefault();
  };
  // The tag that had the focus is gone: it goes on to the one shown now.
  const focusChosen = () =>
    requestAnimationFrame(() => row.current?.querySelector<HTMLElement>('[aria-selected="true"]')?.focus());
  return (
    <div className="tags">
      <NavButton
        size="small"
        label={t("tags.scrollLeft")}
        icon={<LeftOutlined />}
        onClick={() => turn(-0.8)}
      />
      <div ref={row} className="tags-list" role="tablist" aria-label={t("tags.label")}>
        {tabs.map((tab) => (
          <Tag
            key={tab.key}
            tab={tab}
            tabs={tabs}
            active={tab.key === pathname}
            acts={acts}
            onKeyDown={onKeyDown}
          />
        ))}
      </div>
      <NavButton
        size="small"
        label={t("tags.scrollRight")}
        icon={<RightOutlined />}
        onClick={() => turn(0.8)}
      />
    </div>
  );
}

/** Where the arrow keys, Home and End lead; the row is a ring. */
function movedTo(key: string, at: number, tabs: readonly Tab[]): Tab | undefined {
  if (key === "ArrowRight") return tabs[(at + 1) % tabs.length];
  if (key === "ArrowLeft") return tabs.at(at - 1);
  if (key === "Home") return tabs[0];
  if (key === "End") return tabs.at(-1);
  return undefined;
}

function useReveal(row: React.RefObject<HTMLDivElement | null>, key: string, count: number): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new tag may push the shown one out of sight.
  useLayoutEffect(() => {
    const tag = document.getElementById(tabId(key));
    if (row.current && tag) revealInRow(row.current, tag);
  }, [row, key, count]);
}
