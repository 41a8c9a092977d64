import { del } from "@/kernel/api/client";
import { t } from "@/kernel/i18n";
import { confirmBox, toast } from "@/kernel/ui";
import type { Session } from "./types";

/** Asks, then signs the sessions out; resolves to whether anything was done. */
export async function forceOut(sessions: readonly Session[]): Promise<boolean> {
  const [only] = sessions;
  if (!only) return false;
  const name = only.nickname || only.username;
  const content =
    sessions.length === 1
      ? t("identity:session.endOne", { name })
      : t("identity:session.endMany", { total: sessions.length });
  if (!(await confirmBox({ content, okText: t("identity:session.end"), danger: true }))) return false;
  try {
    if (sessions.length === 1) {
      await del("/system/oauth2-token/delete", { accessToken: only.accessToken });
    } else {
      await del("/system/oauth2-token/delete-list", {
        accessTokens: sessions.map((session) => session.accessToken),
      });
    }
  } catch {
    // The client has shown why.
    return false;
  }
  toast.success(t("identity:session.ended", { total: sessions.length }));
  return true;
}
