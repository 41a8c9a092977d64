import { t } from "@/kernel/i18n";
import { confirmBox, toast } from "@/kernel/ui";
import type { Modeler } from "../canvas/modeler";

/** Ways to line elements up, by the names of the drawing kit. */
export const alignments = ["left", "right", "top", "bottom", "center", "middle"] as const;
/** Ways to put elements at equal distances. */
export const distributions = ["horizontal", "vertical"] as const;

export type Arrangement = (typeof alignments)[number] | (typeof distributions)[number];

/** Lines the selected elements up, after the warning that this may bend the drawing. */
export async function arrange(modeler: Modeler, how: Arrangement): Promise<void> {
  const selected = modeler.get("selection").get();
  const elements = selected.filter((element) => !element.waypoints && !element.labelTarget);
  if (elements.length < 2) return toast.warning(t("designer:align.few"));
  const isAxis = how === "horizontal" || how === "vertical";
  if (isAxis && elements.length < 3) return toast.warning(t("designer:align.fewToDistribute"));
  if (!(await confirmBox({ content: t("designer:align.ask") }))) return;
  if (isAxis) modeler.get("distributeElements").trigger(elements, how);
  else modeler.get("alignElements").trigger(elements, how);
}
