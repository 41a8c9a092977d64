import { useDraggable } from "@dnd-kit/core";
import { Button } from "antd";
import { useTranslation } from "@/kernel/i18n";
import { kindIcons } from "./kindIcons";
import { type NewKind, palette } from "./kinds";

interface Props {
  onAdd: (kind: NewKind) => void;
}

/** What a form can be made of: pressed to add, or dragged to its place. */
export function Palette({ onAdd }: Props) {
  const { t } = useTranslation("workflow");
  return (
    <div className="builder-palette">
      {palette.map(({ group, kinds }) => (
        <section key={group} aria-label={t(`builder.palette_${group}`)}>
          <h3>{t(`builder.palette_${group}`)}</h3>
          <div className="builder-kinds">
            {kinds.map((kind) => (
              <Entry key={kind} kind={kind} onAdd={onAdd} />
            ))}
          </div>
        </section>
      ))}
    </div>
  );
}

function Entry({ kind, onAdd }: { kind: NewKind; onAdd: (kind: NewKind) => void }) {
  const { t } = useTranslation("workflow");
  const { listeners, setNodeRef } = useDraggable({ id: `new:${kind}`, data: { kind } });
  const name = t(`kind.${kind}`);
  return (
    <Button
      ref={setNodeRef}
      {...listeners}
      icon={kindIcons[kind]}
      aria-label={t("builder.add", { kind: name })}
      onClick={() => onAdd(kind)}
    >
      {name}
    </Button>
  );
}
