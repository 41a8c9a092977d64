import {
  ArrowLeftOutlined,
  ArrowRightOutlined,
  CloseCircleOutlined,
  CloseOutlined,
  MinusCircleOutlined,
  ReloadOutlined,
} from "@ant-design/icons";
import type { MenuProps } from "antd";
import { type CloseScope, closedKeys, type Tab } from "../stores/tags";
import type { TabActs } from "./useTabActs";

export const tagMenuWidth = 105;

const scopes: readonly CloseScope[] = ["current", "others", "left", "right", "all"];
const icons = {
  current: <CloseOutlined />,
  others: <CloseCircleOutlined />,
  left: <ArrowLeftOutlined />,
  right: <ArrowRightOutlined />,
  all: <MinusCircleOutlined />,
};

/** The right-click menu of a tag; what would close nothing is not offered. */
export function tagMenu(
  tabs: readonly Tab[],
  tab: Tab,
  acts: TabActs,
  t: (key: string) => string,
): MenuProps {
  const offered = scopes.filter((scope) => closedKeys(tabs, tab.key, scope).size > 0);
  return {
    items: [
      { key: "refresh", icon: <ReloadOutlined />, label: t("tags.refresh") },
      ...offered.map((scope) => ({ key: scope, icon: icons[scope], label: t(`tags.${scope}`) })),
    ],
    onClick: ({ key, domEvent }) => {
      domEvent.stopPropagation();
      if (key === "refresh") acts.refresh(tab);
      else void acts.close(tab, key as CloseScope);
    },
  };
}
