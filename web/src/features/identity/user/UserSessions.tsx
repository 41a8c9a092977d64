import { useQuery } from "@tanstack/react-query";
import { Button, Drawer, Skeleton } from "antd";
import { useAccess } from "@/kernel/access";
import { get, type PageOf } from "@/kernel/api/client";
import { useTranslation } from "@/kernel/i18n";
import { EmptyState, ErrorState, TimeText, useMobile } from "@/kernel/ui";
import { DeviceText } from "../session/DeviceText";
import { forceOut } from "../session/forceOut";
import type { Session } from "../session/types";
import { type User, userName } from "./types";
import "../session/session.css";

interface Props {
  user: User | null;
  onClose: () => void;
}

/** Where somebody is signed in, with the way to sign him out. */
export function UserSessions({ user, onClose }: Props) {
  const { t } = useTranslation("identity");
  const mobile = useMobile();
  const access = useAccess();
  const mayEnd = access.hasPermission(["system:oauth2-token:delete"]);
  const query = useQuery({
    queryKey: ["/system/oauth2-token", "of-user", user?.id],
    queryFn: ({ signal }) =>
      get<PageOf<Session>>(
        "/system/oauth2-token/page",
        { userId: user?.id, pageNo: 1, pageSize: 50 },
        { silent: true, signal },
      ),
    enabled: user !== null,
    staleTime: 0,
    retry: false,
  });
  const sessions = query.data?.list ?? [];
  const end = async (chosen: Session[]) => {
    if (await forceOut(chosen)) await query.refetch();
  };
  return (
    <Drawer
      open={user !== null}
      onClose={onClose}
      mask={{ closable: false }}
      destroyOnHidden
      size={mobile ? "100%" : 480}
      title={t("session.ofUser", { name: user ? userName(user) : "" })}
      extra={
        mayEnd && sessions.length > 1 ? (
          <Button danger onClick={() => void end(sessions)}>
            {t("session.endAll")}
          </Button>
        ) : null
      }
    >
      {query.error ? <ErrorState error={query.error} onRetry={() => void query.refetch()} /> : null}
      {query.isPending ? <Skeleton active /> : null}
      {query.data && sessions.length === 0 ? <EmptyState title={t("session.none")} /> : null}
      <ul className="session-list">
        {sessions.map((session) => (
          <li key={session.id}>
            <div>
              <DeviceText userAgent={session.userAgent} />
              <div className="session-meta">
                {session.userIp} · {t("session.signedIn")} <TimeText value={session.createTime} /> ·{" "}
                {t("session.lastSeen")} <TimeText value={session.lastTime} relative />
              </div>
            </div>
            {mayEnd ? (
              <Button danger onClick={() => void end([session])}>
                {t("session.end")}
              </Button>
            ) : null}
          </li>
        ))}
      </ul>
    </Drawer>
  );
}
