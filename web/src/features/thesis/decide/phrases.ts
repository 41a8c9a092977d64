import { create } from "zustand";
import { t } from "@/kernel/i18n";
import { useSession } from "@/kernel/session";

const MOST = 20;

function storageKey(): string {
  return `viva-phrases:${useSession.getState().user?.id ?? 0}`;
}

function read(): string[] | null {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey()) ?? "null");
    return Array.isArray(stored) ? stored.filter((item) => typeof item === "string") : null;
  } catch {
    return null;
  }
}

interface PhraseState {
  /** Counts changes, so that every open list reads again. */
  edition: number;
  change: (phrases: string[]) => void;
}

const usePhraseState = create<PhraseState>()((set, get) => ({
  edition: 0,
  change: (phrases) => {
    localStorage.setItem(storageKey(), JSON.stringify(phrases.slice(0, MOST)));
    set({ edition: get().edition + 1 });
  },
}));

interface Phrases {
  list: string[];
  add: (phrase: string) => void;
  remove: (phrase: string) => void;
}

/** Phrases one uses again and again, kept in this browser for the signed-in user. */
export function usePhrases(): Phrases {
  const change = usePhraseState((state) => state.change);
  usePhraseState((state) => state.edition);
  const list = read() ?? [1, 2, 3, 4].map((n) => t(`thesis:phrase.default${n}`));
  return {
    list,
    add: (phrase) => {
      const text = phrase.trim();
      if (text) change([text, ...list.filter((item) => item !== text)]);
    },
    remove: (phrase) => change(list.filter((item) => item !== phrase)),
  };
}
