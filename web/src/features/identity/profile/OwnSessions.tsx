import { DesktopOutlined, MobileOutlined } from "@ant-design/icons";
import { Button, Flex, Skeleton, Tag } from "antd";
import { del } from "@/kernel/api/client";
import { useTranslation } from "@/kernel/i18n";
import { confirmBox, ErrorState, TimeText, toast } from "@/kernel/ui";
import { DeviceText } from "../session/DeviceText";
import { deviceOf } from "../session/types";
import { type OwnSession, useOwnSessions } from "./calls";
import "../session/session.css";

/** Where the user is signed in; unknown devices can be signed out. */
export function OwnSessions() {
  const { t } = useTranslation("identity");
  const { data, error, isPending, refetch } = useOwnSessions();
  const end = async (session: OwnSession | null) => {
    const content = t(session ? "profile.endOne" : "profile.endOthers");
    if (!(await confirmBox({ content, okText: t("session.end"), danger: true }))) return;
    try {
      await del("/system/user/profile/sessions", session ? { id: session.id } : undefined);
      toast.success(t("profile.sessionEnded"));
    } catch {
      // The client has shown why.
    }
    await refetch();
  };
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (isPending) return <Skeleton active paragraph={{ rows: 3 }} />;
  const others = data.filter((session) => !session.current);
  return (
    <>
      <Flex justify="space-between" align="center" gap={8} wrap>
        <p>{t("profile.sessionsAbout")}</p>
        {others.length > 1 ? (
          <Button danger onClick={() => void end(null)}>
            {t("profile.endAllOthers")}
          </Button>
        ) : null}
      </Flex>
      <ul className="session-list" aria-label={t("profile.sessions")}>
        {data.map((session) => (
          <li key={session.id}>
            <Flex gap={12} align="center">
              <span aria-hidden="true" style={{ fontSize: 24 }}>
                {deviceOf(session.userAgent).phone ? <MobileOutlined /> : <DesktopOutlined />}
              </span>
              <div>
                <DeviceText userAgent={session.userAgent} />{" "}
                {session.current ? <Tag color="success">{t("profile.thisDevice")}</Tag> : null}
                <div className="session-meta">
                  {session.userIp} · {t("session.signedIn")} <TimeText value={session.createTime} /> ·{" "}
                  {t("session.lastSeen")} <TimeText value={session.lastTime} relative />
                </div>
              </div>
            </Flex>
            {session.current ? null : (
              <Button danger onClick={() => void end(session)}>
                {t("session.end")}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}
