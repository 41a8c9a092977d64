import { t } from "@/kernel/i18n";
import { confirmBox } from "@/kernel/ui";

const SHOWN = 10;

/** Lists what would not be in the written file and asks whether to go on. */
export function confirmLoss(lost: readonly string[]): Promise<boolean> {
  const more = lost.length > SHOWN ? t("designer:loss.more", { n: lost.length - SHOWN }) : "";
  return confirmBox({
    title: t("designer:loss.title"),
    content: `${t("designer:loss.text")} ${lost.slice(0, SHOWN).join("；")}${more}`,
    okText: t("designer:loss.goOn"),
    danger: true,
  });
}
