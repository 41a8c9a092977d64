import { useState } from "react";
import { useTranslation } from "@/kernel/i18n";
import { apply } from "../kit/change";
import { RootDialog } from "../kit/RootDialog";
import { RowTable } from "../kit/RowTable";
import { type RootKind, rootRemoval, rootsOf, usersOf } from "../kit/roots";
import { text, useScope } from "../kit/scope";
import type { ModdleElement } from "../kit/wire";

const kinds: readonly RootKind[] = ["Message", "Signal", "Error", "Escalation"];

/** The messages, signals, errors and escalations of the file. */
export function RootProps() {
  return kinds.map((kind) => <Roots key={kind} kind={kind} />);
}

function Roots({ kind }: { kind: RootKind }) {
  const { t } = useTranslation("panel");
  const scope = useScope();
  const [edited, setEdited] = useState<ModdleElement | "new" | null>(null);
  const nameOf = (root: ModdleElement) => text(root, "name") || text(root, "id");
  return (
    <>
      <h3 className="panel-sub">{t(`root.${kind}`)}</h3>
      <RowTable
        label={t(`root.${kind}`)}
        rows={rootsOf(scope, kind)}
        columns={[
          { title: t("base.id"), cell: (root) => text(root, "id") },
          { title: t("base.name"), cell: (root) => text(root, "name") },
        ]}
        nameOf={nameOf}
        addText={t(`root.add.${kind}`)}
        ask={t("root.ask")}
        keeps={(root) => {
          const users = usersOf(scope, kind, root);
          return users.length > 0 ? t("root.used", { names: users.join("、") }) : "";
        }}
        onAdd={() => setEdited("new")}
        onEdit={setEdited}
        onRemove={(root) => apply(scope, rootRemoval(scope, root))}
      />
      {edited ? (
        <RootDialog
          kind={kind}
          root={edited === "new" ? undefined : edited}
          onClose={() => setEdited(null)}
        />
      ) : null}
    </>
  );
}
