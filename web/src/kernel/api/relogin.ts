import { routeAddress } from "@/kernel/base";
import { t } from "@/kernel/i18n";
import { clearTokens } from "@/kernel/session/storage";
import { confirmBox } from "@/kernel/ui/feedback";

/** Dispatched before the page is left for sign-in: forms keep what was typed. */
export const SESSION_LOST = "viva:session-lost";

let asking = false;

/** Asks once whether to sign in again; further calls while the question stands do nothing. */
export async function askRelogin(): Promise<void> {
  if (asking) return;
  asking = true;
  try {
    const again = await confirmBox({
      title: t("kernel:feedback.systemPrompt"),
      content: t("kernel:session.expiredQuestion"),
      okText: t("kernel:session.relogin"),
    });
    if (!again) return;
    window.dispatchEvent(new Event(SESSION_LOST));
    clearTokens();
    window.location.assign(routeAddress("index"));
  } finally {
    asking = false;
  }
}
