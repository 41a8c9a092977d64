import { useState } from "react";
import { useTranslation } from "@/kernel/i18n";
import { apply } from "../kit/change";
import { addExtension, extensions, removeExtension } from "../kit/extensions";
import { listenerKind, listenerValues, listenerWork } from "../kit/listener";
import { RowTable } from "../kit/RowTable";
import { text, useScope } from "../kit/scope";
import type { ModdleElement } from "../kit/wire";
import { ListenerDialog, type ListenerUse } from "./ListenerDialog";

interface Props {
  use: ListenerUse;
  /** The element that is listened to. */
  of: ModdleElement;
  takes?: boolean;
}

/** The listeners of an element in one table. */
export function ListenerTable({ use, of, takes }: Props) {
  const { t } = useTranslation("panel");
  const scope = useScope();
  const [edited, setEdited] = useState<ModdleElement | "new" | null>(null);
  const type = use === "task" ? "TaskListener" : "ExecutionListener";
  const rows = extensions(scope, of, type);
  const present = edited === "new" || edited === null ? undefined : edited;
  return (
    <>
      <RowTable
        label={t(`group.${use}Listeners`)}
        rows={rows}
        columns={[
          {
            title: t("listener.event"),
            cell: (row) => {
              const event = text(row, "event");
              return t(`listener.events.${event}`, { defaultValue: event });
            },
          },
          { title: t("listener.type"), cell: (row) => t(`listener.types.${listenerKind(row)}`) },
          { title: t("listener.work"), cell: listenerWork },
        ]}
        nameOf={(row) => text(row, "id") || listenerWork(row)}
        addText={t("listener.add")}
        ask={t("listener.ask")}
        onAdd={() => setEdited("new")}
        onEdit={setEdited}
        onRemove={(row) => apply(scope, removeExtension(scope, of, row))}
      />
      {edited ? (
        <ListenerDialog
          use={use}
          takes={takes}
          listener={present}
          initial={present ? listenerValues(present) : { event: takes ? "take" : undefined }}
          onSave={({ listener, changes }) =>
            apply(scope, present ? changes : addExtension(scope, of, listener))
          }
          onClose={() => setEdited(null)}
        />
      ) : null}
    </>
  );
}
