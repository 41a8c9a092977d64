import { Input, type InputRef } from "antd";
import type Fuse from "fuse.js";
import { type KeyboardEvent, type Ref, useEffect, useId, useMemo, useRef, useState } from "react";
import { useTranslation } from "@/kernel/i18n";
import { useShell } from "../context";
import { createSearch, type SearchEntry, searchEntries } from "../routes/search";
import { MenuIcon } from "../sidebar/MenuIcon";
import { useGoTo } from "../useGoTo";
import { useRouteTitle } from "../useRouteTitle";

const shownAtMost = 30;

/** The entries that fit what was typed; nothing typed shows everything in menu order. */
function useFound(text: string): SearchEntry[] {
  const { routes } = useShell();
  const titleOf = useRouteTitle();
  const entries = useMemo(() => searchEntries(routes, titleOf), [routes, titleOf]);
  const [index, setIndex] = useState<Fuse<SearchEntry> | null>(null);
  useEffect(() => {
    let wanted = true;
    void createSearch(entries).then((made) => wanted && setIndex(made));
    return () => {
      wanted = false;
    };
  }, [entries]);
  return useMemo(() => {
    const wanted = text.trim();
    if (!wanted) return entries.slice(0, shownAtMost);
    return index?.search(wanted, { limit: shownAtMost }).map((result) => result.item) ?? [];
  }, [text, entries, index]);
}

interface Props {
  /** The field where one types. */
  ref: Ref<InputRef>;
  onDone: () => void;
}

export function RouteFinder({ ref, onDone }: Props) {
  const { t } = useTranslation("layout");
  const goTo = useGoTo();
  const listId = useId();
  const list = useRef<HTMLDivElement>(null);
  const [text, setText] = useState("");
  const [chosen, setChosen] = useState(0);
  const found = useFound(text);
  const at = Math.min(chosen, found.length - 1);
  const go = (entry: SearchEntry | undefined) => {
    if (!entry) return;
    onDone();
    goTo(entry.path);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (event.key === "Enter" && !event.nativeEvent.isComposing) go(found[at]);
    else if (step !== 0 && found.length > 0) {
      const next = (at + step + found.length) % found.length;
      setChosen(next);
      list.current?.children[next]?.scrollIntoView({ block: "nearest" });
    } else return;
    event.preventDefault();
  };
  return (
    <>
      <Input
        ref={ref}
        autoFocus
        allowClear
        role="combobox"
        aria-label={t("search.label")}
        aria-expanded={found.length > 0}
        aria-controls={listId}
        aria-activedescendant={found.length > 0 ? `${listId}-${at}` : undefined}
        placeholder={t("search.hint")}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setChosen(0);
        }}
        onKeyDown={onKeyDown}
      />
      <FoundList id={listId} ref={list} found={found} at={at} onGo={go} />
      <p role="status" className="shell-status">
        {found.length === 0 ? t("search.none") : t("search.count", { n: found.length })}
      </p>
    </>
  );
}

interface FoundListProps {
  id: string;
  ref: Ref<HTMLDivElement>;
  found: readonly SearchEntry[];
  at: number;
  onGo: (entry: SearchEntry) => void;
}

function FoundList({ id, ref, found, at, onGo }: FoundListProps) {
  const { t } = useTranslation("layout");
  return (
    <div id={id} ref={ref} role="listbox" aria-label={t("search.label")} className="finder-list">
      {found.map((entry, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the combobox above owns the keyboard.
        <div
          key={entry.path}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === at}
          tabIndex={-1}
          className="finder-item"
          onClick={() => onGo(entry)}
        >
          <MenuIcon name={entry.icon} />
          <span>{entry.title.join(" / ")}</span>
          <span className="finder-path">{entry.path}</span>
        </div>
      ))}
    </div>
  );
}
