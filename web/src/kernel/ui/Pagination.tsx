import { EllipsisOutlined, LeftOutlined, RightOutlined } from "@ant-design/icons";
import { Button, Input, Select } from "antd";
import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { type PagerItem, pagerItems } from "./pagerItems";
import { useMobile } from "./useMobile";
import "./pagination.css";

export const PAGE_SIZES = [10, 20, 50, 100, 500];
export const DEFAULT_PAGE_SIZE = 20;

/** How many page numbers are shown at most. */
const pagerCount = { desktop: 7, mobile: 5 };

interface Props {
  pageNo: number;
  pageSize: number;
  total: number;
  /** The server stopped counting: there are more than `total`. */
  capped?: boolean;
  onChange: (pageNo: number, pageSize: number) => void;
}

/** Total, sizes, previous, pages, next and jumper, as every list has them. */
export function Pagination({ pageNo, pageSize, total, capped, onChange }: Props) {
  const { t } = useTranslation("kernel");
  const pages = Math.max(1, Math.ceil(total / pageSize));
  const current = Math.min(Math.max(pageNo, 1), pages);
  const go = (page: number) => {
    const next = Math.min(Math.max(page, 1), pages);
    if (next !== pageNo) onChange(next, pageSize);
  };
  return (
    <nav aria-label={t("pagination.label")} className="pager">
      <span>
        {t(capped ? "pagination.totalCapped" : "pagination.total", { total: total.toLocaleString() })}
      </span>
      <Select
        aria-label={t("pagination.sizes")}
        value={pageSize}
        popupMatchSelectWidth={false}
        options={PAGE_SIZES.map((size) => ({ value: size, label: t("pagination.perPage", { size }) }))}
        onChange={(size) => onChange(pageAfterResize(current, size, total), size)}
      />
      <Pager current={current} pages={pages} onGo={go} />
      <Jumper current={current} onGo={go} />
    </nav>
  );
}

interface PagerProps {
  current: number;
  pages: number;
  onGo: (page: number) => void;
}

function Pager({ current, pages, onGo }: PagerProps) {
  const { t } = useTranslation("kernel");
  const count = useMobile() ? pagerCount.mobile : pagerCount.desktop;
  return (
    <ul className="pager-list">
      <li>
        <Button
          type="text"
          icon={<LeftOutlined />}
          aria-label={t("pagination.previous")}
          disabled={current === 1}
          onClick={() => onGo(current - 1)}
        />
      </li>
      {pagerItems(current, pages, count).map((item) => (
        <li key={item}>
          <PagerButton item={item} current={current} leap={count - 2} onGo={onGo} />
        </li>
      ))}
      <li>
        <Button
          type="text"
          icon={<RightOutlined />}
          aria-label={t("pagination.next")}
          disabled={current === pages}
          onClick={() => onGo(current + 1)}
        />
      </li>
    </ul>
  );
}

interface PagerButtonProps {
  item: PagerItem;
  current: number;
  /** How far a gap leads. */
  leap: number;
  onGo: (page: number) => void;
}

function PagerButton({ item, current, leap, onGo }: PagerButtonProps) {
  const { t } = useTranslation("kernel");
  if (item === "back" || item === "forth") {
    const label = t(item === "back" ? "pagination.back" : "pagination.forth", { pages: leap });
    return (
      <Button
        type="text"
        icon={<EllipsisOutlined />}
        aria-label={label}
        title={label}
        onClick={() => onGo(current + (item === "back" ? -leap : leap))}
      />
    );
  }
  const here = item === current;
  return (
    <Button
      type="text"
      className={here ? "is-current" : undefined}
      aria-label={t("pagination.page", { page: item })}
      aria-current={here ? "page" : undefined}
      onClick={() => onGo(item)}
    >
      {item}
    </Button>
  );
}

interface JumperProps {
  current: number;
  onGo: (page: number) => void;
}

/** Goes to the page typed, on Enter or when the field is left; what is no number is put back. */
function Jumper({ current, onGo }: JumperProps) {
  const { t } = useTranslation("kernel");
  const id = useId();
  const [typed, setTyped] = useState<string | null>(null);
  const jump = () => {
    if (typed === null) return;
    setTyped(null);
    if (/^\d+$/.test(typed.trim())) onGo(Number(typed));
  };
  return (
    <span className="pager-jump">
      <label htmlFor={id}>{t("pagination.jump")}</label>
      <Input
        id={id}
        value={typed ?? String(current)}
        inputMode="numeric"
        onChange={(event) => setTyped(event.target.value)}
        onFocus={(event) => event.target.select()}
        onPressEnter={jump}
        onBlur={jump}
      />
    </span>
  );
}

/** A new page size goes back to page 1 when the present page times the size exceeds the total. */
export function pageAfterResize(pageNo: number, pageSize: number, total: number): number {
  return pageNo * pageSize > total ? 1 : pageNo;
}

/** The size an address asks for, when lists have such a size; else the default. */
export function pageSizeOf(text: string | null): number {
  const size = Number(text);
  return PAGE_SIZES.includes(size) ? size : DEFAULT_PAGE_SIZE;
}
