import { Skeleton, Tabs } from "antd";
import { useSearchParams } from "react-router";
import { DictTag } from "@/kernel/dict";
import { useTranslation } from "@/kernel/i18n";
import { ErrorState, PageHeader, TimeText } from "@/kernel/ui";
import { AvatarChooser } from "./AvatarChooser";
import { type Profile, useProfile } from "./calls";
import { DataForm } from "./DataForm";
import { OwnSessions } from "./OwnSessions";
import { PasswordForm } from "./PasswordForm";
import "./profile.css";

/** The personal centre: own data, picture, password and devices. */
export default function ProfilePage() {
  const { t } = useTranslation("identity");
  const [search, setSearch] = useSearchParams();
  const { data: profile, error, refetch } = useProfile();
  const show = (tab: string) => setSearch(tab === "data" ? {} : { tab }, { replace: true });
  if (error && !profile) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!profile) return <Skeleton active avatar paragraph={{ rows: 8 }} />;
  return (
    <>
      <PageHeader title={t("profile.title")} />
      <div className="profile">
        <section className="profile-card" aria-label={t("profile.card")}>
          <AvatarChooser profile={profile} onDone={refetch} />
          <h2>{profile.nickname || profile.username}</h2>
          <Facts profile={profile} />
        </section>
        <section className="profile-card">
          <Tabs
            activeKey={search.get("tab") ?? "data"}
            onChange={show}
            items={[
              {
                key: "data",
                label: t("profile.data"),
                children: <DataForm profile={profile} onDone={refetch} />,
              },
              {
                key: "password",
                label: t("profile.changePassword"),
                children: <PasswordForm username={profile.username} onDone={() => show("sessions")} />,
              },
              { key: "sessions", label: t("profile.sessions"), children: <OwnSessions /> },
            ]}
          />
        </section>
      </div>
    </>
  );
}

function Facts({ profile }: { profile: Profile }) {
  const { t } = useTranslation("identity");
  const join = (list: { name: string }[]) => list.map((item) => item.name).join("、");
  const facts = [
    [t("profile.username"), profile.username],
    [t("profile.type"), <DictTag key="type" type="user_type" value={profile.type} />],
    [t("profile.dept"), profile.dept?.name],
    [t("profile.posts"), join(profile.posts)],
    [t("user.roles"), join(profile.roles)],
    [t("profile.lastLogin"), <TimeText key="login" value={profile.loginDate} />],
    [t("profile.lastIp"), profile.loginIp],
    [t("profile.since"), <TimeText key="since" value={profile.createTime} pattern="YYYY-MM-DD" />],
  ] as const;
  return (
    <dl className="profile-facts">
      {facts
        .filter(([, value]) => value)
        .map(([label, value]) => (
          <div key={label} style={{ display: "contents" }}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}
