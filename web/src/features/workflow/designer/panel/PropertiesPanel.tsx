import { SettingOutlined } from "@ant-design/icons";
import { Button, Collapse, Drawer, Form } from "antd";
import { useState } from "react";
import { useTranslation } from "@/kernel/i18n";
import { ErrorBoundary, useMobile } from "@/kernel/ui";
import type { Dialect } from "../dialect";
import { groups } from "./groups";
import { Resizer, usePanelWidth } from "./kit/Resizer";
import { type Scope, ScopeProvider } from "./kit/scope";
import { titleOf } from "./kit/title";
import { useScopeOf } from "./kit/useScopeOf";
import type { ModdleElement, Modeler, PanelModel } from "./kit/wire";
import "./panel.css";

export type { Modeler, PanelModel } from "./kit/wire";

interface Props {
  modeler: Modeler;
  dialect: Dialect;
  /** The stored model that is drawn; its key is then fixed. */
  model?: PanelModel;
}

/** What can be said of the selected element beside its place; on a phone in a drawer. */
export function PropertiesPanel({ modeler, dialect, model }: Props) {
  const { t } = useTranslation("panel");
  const mobile = useMobile();
  const [opened, setOpened] = useState(false);
  const { width, resize } = usePanelWidth();
  const scope = useScopeOf(modeler, dialect, model);
  const content =
    typeof scope === "number" ? (
      <p className="panel-none">{t(scope === 0 ? "panel.empty" : "panel.several", { n: scope })}</p>
    ) : (
      <Sections key={keyOf(scope.element.businessObject)} scope={scope} />
    );
  if (mobile) {
    return (
      <>
        <Button className="panel-open" icon={<SettingOutlined aria-hidden />} onClick={() => setOpened(true)}>
          {t("panel.title")}
        </Button>
        <Drawer open={opened} onClose={() => setOpened(false)} size="100%" title={t("panel.title")}>
          {opened ? content : null}
        </Drawer>
      </>
    );
  }
  return (
    <aside className="panel" aria-label={t("panel.title")} style={{ width }}>
      <Resizer width={width} onResize={resize} />
      <div className="panel-body">{content}</div>
    </aside>
  );
}

/** The sections of one element; another one begins with its base information again. */
function Sections({ scope }: { scope: Scope }) {
  const { t } = useTranslation("panel");
  const [open, setOpen] = useState<string[]>(["base"]);
  const title = titleOf(scope);
  return (
    <ScopeProvider value={scope}>
      <header className="panel-head">
        <h2>{title.name}</h2>
        <span>{title.type}</span>
      </header>
      <Form component={false} layout="vertical" size="small">
        <Collapse
          ghost
          className="panel-sections"
          size="small"
          activeKey={open}
          onChange={(keys) => setOpen(keys)}
          items={groups
            .filter((group) => group.shows(scope))
            .map(({ key, Body }) => ({
              key,
              label: t(`group.${key}`),
              children: (
                <ErrorBoundary>
                  <Body />
                </ErrorBoundary>
              ),
            }))}
        />
      </Form>
    </ScopeProvider>
  );
}

const keys = new WeakMap<ModdleElement, number>();
let last = 0;

/** The same for an element as long as it lives, whatever it is called. */
function keyOf(bo: ModdleElement): number {
  const key = keys.get(bo) ?? ++last;
  keys.set(bo, key);
  return key;
}
