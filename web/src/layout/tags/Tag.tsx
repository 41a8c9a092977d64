import { CloseOutlined } from "@ant-design/icons";
import { Dropdown, Tooltip } from "antd";
import { useTranslation } from "@/kernel/i18n";
import type { Tab } from "../stores/tags";
import { useRouteTitle } from "../useRouteTitle";
import { paneId, tabId } from "../views/TabView";
import { tagMenu, tagMenuWidth } from "./tagMenu";
import type { TabActs } from "./useTabActs";

/** Labels with more characters than this get a tooltip. */
export const tagLabelLength = 5;

interface Props {
  tab: Tab;
  tabs: readonly Tab[];
  active: boolean;
  acts: TabActs;
  onKeyDown: (event: React.KeyboardEvent, tab: Tab) => void;
}

export function needsTooltip(title: string): boolean {
  return [...title].length > tagLabelLength;
}

/** One visited page; middle click closes it, right click offers the rest. */
export function Tag({ tab, tabs, active, acts, onKeyDown }: Props) {
  const { t } = useTranslation("layout");
  const titleOf = useRouteTitle();
  const title = tab.ownTitle ?? titleOf(tab);
  const close = () => void acts.close(tab, "current");
  const tag = (
    <div
      id={tabId(tab.key)}
      role="tab"
      className="tag"
      tabIndex={active ? 0 : -1}
      aria-selected={active}
      aria-controls={active || tab.keepAlive ? paneId(tab.key) : undefined}
      aria-keyshortcuts={tab.affix ? undefined : "Delete"}
      onClick={() => acts.show(tab)}
      onKeyDown={(event) => onKeyDown(event, tab)}
      onMouseDown={(event) => event.button === 1 && event.preventDefault()}
      onAuxClick={(event) => event.button === 1 && !tab.affix && close()}
    >
      <span className="tag-label">{title}</span>
      {!tab.affix && (
        // The keyboard closes with Delete; inside a tab nothing else may take the focus.
        <span
          className="tag-close"
          aria-hidden="true"
          title={t("tags.current")}
          onClick={(event) => {
            event.stopPropagation();
            close();
          }}
        >
          <CloseOutlined />
        </span>
      )}
    </div>
  );
  return (
    <Tooltip title={needsTooltip(title) ? title : ""}>
      <span role="presentation">
        <Dropdown
          autoFocus
          trigger={["contextMenu"]}
          menu={tagMenu(tabs, tab, acts, t)}
          classNames={{ root: "tag-menu" }}
          styles={{ root: { width: tagMenuWidth, minWidth: tagMenuWidth } }}
        >
          {tag}
        </Dropdown>
      </span>
    </Tooltip>
  );
}
