import { Link } from "react-router";
import { DictTag } from "@/kernel/dict";
import { useTranslation } from "@/kernel/i18n";
import { LinkedText, TimeText } from "@/kernel/ui";
import { Section } from "../shared/Section";
import { useMessages, useNotices } from "./calls";

/** Unread messages: what happened since one was here last. */
export function Messages() {
  const { t } = useTranslation("thesis");
  const { data, error } = useMessages();
  if (error) return null;
  const list = data?.list ?? [];
  return (
    <Section
      title={t("home.messages", { n: data?.total ?? 0 })}
      more={<Link to="/user/notify-message">{t("home.all")}</Link>}
    >
      {data && list.length === 0 ? <p className="th-quiet">{t("home.noMessages")}</p> : null}
      <ul className="th-plain">
        {list.map((message) => (
          <li key={message.id}>
            <div className="th-history-head">
              <strong>{message.templateNickname}</strong>
              <TimeText value={message.createTime} relative />
            </div>
            <div>
              <LinkedText text={message.templateContent} />
            </div>
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** The newest notices. */
export function Notices() {
  const { t } = useTranslation("thesis");
  const { data, error } = useNotices();
  if (error) return null;
  const list = data?.list ?? [];
  return (
    <Section title={t("home.notices")} more={<Link to="/user/system-notice">{t("home.all")}</Link>}>
      {data && list.length === 0 ? <p className="th-quiet">{t("home.noNotices")}</p> : null}
      <ul className="th-plain">
        {list.map((notice) => (
          <li key={notice.id} className="th-news">
            <DictTag type="system_notice_type" value={notice.type} />
            <Link to={`/user/system-notice?id=${notice.id}`}>{notice.title}</Link>
            <TimeText value={notice.createTime} relative />
          </li>
        ))}
      </ul>
    </Section>
  );
}
