import { PlusOutlined } from "@ant-design/icons";
import { Button, Drawer } from "antd";
import { type FocusEvent, useEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "@/kernel/i18n";
import { EmptyState, useMobile } from "@/kernel/ui";
import { CanvasList } from "./CanvasItem";
import type { Design } from "./history";
import type { Item } from "./model";
import { Palette } from "./Palette";
import { Properties } from "./Properties";
import type { Problem } from "./problems";
import type { DesignState } from "./useDesign";

interface Props {
  state: DesignState;
  problems: readonly Problem[];
}

/** The three parts beside each other; on a phone the outer two are drawers. */
export function EditorPanels({ state, problems }: Props) {
  const mobile = useMobile();
  return mobile ? (
    <PhonePanels state={state} problems={problems} />
  ) : (
    <DeskPanels state={state} problems={problems} />
  );
}

function DeskPanels({ state, problems }: Props) {
  const { t } = useTranslation("workflow");
  const { selected, acts } = state;
  return (
    <div className="builder-panels">
      <aside aria-label={t("builder.palette")} className="builder-side">
        <Palette onAdd={(kind) => acts.add(kind)} />
      </aside>
      <Canvas state={state} problems={problems} hint={t("builder.emptyHint")} />
      <aside aria-label={t("builder.properties")} className="builder-side">
        {selected ? (
          <SelectedProperties item={selected} state={state} problems={problems} />
        ) : (
          <>
            <p>{t("builder.none")}</p>
            <p className="form-none">{t("builder.noneHint")}</p>
            <p className="form-none">{t("builder.keys")}</p>
          </>
        )}
      </aside>
    </div>
  );
}

function PhonePanels({ state, problems }: Props) {
  const { t } = useTranslation("workflow");
  const { selected, acts } = state;
  const [adding, setAdding] = useState(false);
  const [editing, setEditing] = useState(false);
  const open = (
    <Button icon={<PlusOutlined aria-hidden />} onClick={() => setAdding(true)}>
      {t("builder.addOpen")}
    </Button>
  );
  const phone = useMemo(() => {
    const select = (key: string) => {
      acts.select(key);
      setEditing(true);
    };
    return { ...state, acts: { ...acts, select } };
  }, [state, acts]);
  return (
    <>
      <Canvas state={phone} problems={problems} hint={t("builder.emptyHintPhone")} />
      <div className="builder-add">{open}</div>
      <Drawer
        open={adding}
        placement="bottom"
        size="75%"
        title={t("builder.palette")}
        onClose={() => setAdding(false)}
      >
        <Palette
          onAdd={(kind) => {
            acts.add(kind);
            setAdding(false);
          }}
        />
      </Drawer>
      <Drawer
        open={editing && selected !== undefined}
        placement="bottom"
        size="75%"
        title={t("builder.properties")}
        onClose={() => setEditing(false)}
      >
        {selected ? <SelectedProperties item={selected} state={state} problems={problems} /> : null}
      </Drawer>
    </>
  );
}

function SelectedProperties({ item, state, problems }: Props & { item: Item }) {
  return (
    <Properties
      key={item.key}
      item={item}
      problems={problems.filter(({ key }) => key === item.key)}
      onChange={(change) => state.acts.change(item.key, change)}
    />
  );
}

function Canvas({ state, problems, hint }: Props & { hint: string }) {
  const { t } = useTranslation("workflow");
  const { design, selected, acts } = state;
  const bad = useMemo(() => new Set(problems.map(({ key }) => key)), [problems]);
  const place = useKeptFocus(design, selected?.key ?? "");
  return (
    <section {...place} aria-label={t("builder.canvas")} className="builder-canvas">
      {design.items.length === 0 ? <EmptyState title={t("builder.emptyTitle")} hint={hint} /> : null}
      <CanvasList parent="" items={design.items} selected={selected?.key ?? ""} bad={bad} acts={acts} />
    </section>
  );
}

/** An item that is moved or deleted takes the focus with it: the selected one gets it back. */
function useKeptFocus(design: Design, selected: string) {
  const ref = useRef<HTMLElement>(null);
  const inside = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of the design is what loses the focus
  useEffect(() => {
    if (!inside.current || document.activeElement !== document.body) return;
    ref.current?.querySelector<HTMLElement>(`[data-item="${selected}"]`)?.focus();
  }, [design, selected]);
  return {
    ref,
    onFocus: () => {
      inside.current = true;
    },
    onBlur: (event: FocusEvent) => {
      if (event.relatedTarget) inside.current = event.currentTarget.contains(event.relatedTarget);
    },
  };
}
