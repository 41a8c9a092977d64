import { Input, Skeleton } from "antd";
import { useId, useState } from "react";
import { Link } from "react-router";
import { useTranslation } from "@/kernel/i18n";
import { type MenuItem, useSession } from "@/kernel/session";
import { EmptyState, ErrorState, Icon, PageHeader } from "@/kernel/ui";
import { FORM_BUSINESS } from "../../model/entity";
import { startPath } from "../paths";
import type { Startable } from "../wire";
import { useCategoryOrder, useRecent, useStartable } from "./calls";
import "../process.css";

const RECENT = 4;

/** Every address the menus hold. */
function addresses(menus: readonly MenuItem[], above = ""): string[] {
  return menus.flatMap((menu) => {
    const path = menu.path.startsWith("/") ? menu.path : `${above}/${menu.path}`;
    return [path, ...addresses(menu.children ?? [], path)];
  });
}

/** Whether the reader can fill in the form: one of a business module is a page that he must have. */
function reachable(item: Startable, pages: readonly string[]): boolean {
  if (item.formType !== FORM_BUSINESS) return true;
  const [page = ""] = item.formCustomCreatePath.split("?");
  return pages.includes(page);
}

function found(item: Startable, words: string): boolean {
  const text = `${item.name} ${item.key} ${item.description} ${item.categoryName}`.toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/** The groups in the order of the categories; what has none comes last. */
export function grouped(items: readonly Startable[], order: readonly string[]): [string, Startable[]][] {
  const rank = (code: string) => (order.includes(code) ? order.indexOf(code) : order.length);
  const sorted = items.toSorted((a, b) => rank(a.category) - rank(b.category));
  const groups = new Map<string, Startable[]>();
  for (const item of sorted) {
    const name = item.categoryName || item.category;
    groups.set(name, [...(groups.get(name) ?? []), item]);
  }
  return [...groups];
}

/** What I can start: lately used first, then by category, and a search over all. */
export function Catalogue() {
  const { t } = useTranslation("workflow");
  const [words, setWords] = useState("");
  const list = useStartable();
  const order = useCategoryOrder();
  const recent = useRecent(RECENT);
  const menus = useSession((state) => state.menus);
  const pages = addresses(menus);
  const all = (list.data ?? []).filter((item) => reachable(item, pages));
  const shown = all.filter((item) => found(item, words.trim()));
  const lately = recent.flatMap((key) => shown.filter((item) => item.key === key));
  return (
    <div>
      <PageHeader
        title={t("process.start")}
        extra={list.data ? t("start.count", { n: all.length }) : undefined}
        actions={
          <Input.Search
            allowClear
            aria-label={t("start.search")}
            placeholder={t("start.search")}
            value={words}
            onChange={(event) => setWords(event.target.value)}
            style={{ width: 260 }}
          />
        }
      />
      {list.error ? <ErrorState error={list.error} onRetry={() => void list.refetch()} /> : null}
      {list.isPending ? <Skeleton active paragraph={{ rows: 6 }} /> : null}
      {list.data && shown.length === 0 ? (
        <EmptyState
          title={t(words.trim() ? "start.noneFound" : "start.none")}
          hint={t(words.trim() ? "start.noneFoundHint" : "start.noneHint")}
        />
      ) : null}
      {lately.length > 0 && lately.length < shown.length ? (
        <Group title={t("start.recent")} items={lately} />
      ) : null}
      {grouped(shown, order).map(([name, items]) => (
        <Group key={name} title={name || t("start.noCategory")} items={items} />
      ))}
    </div>
  );
}

function Group({ title, items }: { title: string; items: readonly Startable[] }) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className="pr-group">
        {title}
      </h2>
      <ul className="pr-cards">
        {items.map((item) => (
          <li key={item.id}>
            <Link className="pr-start" to={startPath(item.key)}>
              <span className="pr-start-icon">
                <Icon name={item.icon.includes(":") ? item.icon : "fa:edit"} size={24} />
              </span>
              <span>
                <span className="pr-start-name">{item.name}</span>
                <span className="pr-quiet">{item.description}</span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
