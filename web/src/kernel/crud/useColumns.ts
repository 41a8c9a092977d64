import { useState } from "react";

interface Stored {
  /** Chosen visible columns that are optional, and hidden ones that are not. */
  shown: Record<string, boolean>;
  widths: Record<string, number>;
}

export interface ColumnMemory {
  isShown: (name: string, byDefault: boolean) => boolean;
  setShown: (name: string, shown: boolean) => void;
  width: (name: string, byDefault: number | undefined) => number | undefined;
  setWidth: (name: string, width: number) => void;
  reset: () => void;
}

const empty: Stored = { shown: {}, widths: {} };

function read(key: string): Stored {
  try {
    const value = JSON.parse(localStorage.getItem(key) ?? "") as Partial<Stored> | null;
    return { shown: value?.shown ?? {}, widths: value?.widths ?? {} };
  } catch {
    return empty;
  }
}

/** Which columns of a list are shown and how wide, remembered in this browser. */
export function useColumns(list: string): ColumnMemory {
  const key = `viva-columns:${list}`;
  const [stored, setStored] = useState(() => read(key));
  const keep = (next: Stored) => {
    setStored(next);
    localStorage.setItem(key, JSON.stringify(next));
  };
  return {
    isShown: (name, byDefault) => stored.shown[name] ?? byDefault,
    setShown: (name, shown) => keep({ ...stored, shown: { ...stored.shown, [name]: shown } }),
    width: (name, byDefault) => stored.widths[name] ?? byDefault,
    setWidth: (name, width) => keep({ ...stored, widths: { ...stored.widths, [name]: width } }),
    reset: () => {
      setStored(empty);
      localStorage.removeItem(key);
    },
  };
}
