import { addCollection, Icon as Iconify } from "@iconify/react/offline";
import { useEffect, useState } from "react";

type Collection = Parameters<typeof addCollection>[0];

let loading: Promise<boolean> | null = null;
let loaded = false;

/** Loads the built-in subset once; icons never come from another host. */
function loadIcons(): Promise<boolean> {
  loading ??= import("./icons.gen.json").then(
    (file) => {
      for (const collection of file.default as unknown as Collection[]) addCollection(collection);
      loaded = true;
      return true;
    },
    () => {
      loading = null;
      return false;
    },
  );
  return loading;
}

interface Props {
  /** Iconify name as menus carry it, e.g. "ep:tools" or "fa-solid:book". */
  name: string | null | undefined;
  size?: number | string;
  className?: string;
  /** Accessible name; without it the icon is decoration. */
  label?: string;
}

/** An icon of the offline subset; an unknown name keeps the space so that nothing moves. */
export function Icon({ name, size = "1em", className, label }: Props) {
  const [ready, setReady] = useState(loaded);
  useEffect(() => {
    if (!loaded) void loadIcons().then(setReady);
  }, []);
  const box = { display: "inline-flex", width: size, height: size, verticalAlign: "-0.125em" } as const;
  const glyph = ready && name?.includes(":") ? <Iconify icon={name} width="100%" height="100%" /> : null;
  if (!label) {
    return (
      <span className={className} style={box} aria-hidden="true">
        {glyph}
      </span>
    );
  }
  return (
    <span className={className} style={box} role="img" aria-label={label}>
      {glyph}
    </span>
  );
}
