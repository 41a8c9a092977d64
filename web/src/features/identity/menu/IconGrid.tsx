import { Input, type InputRef } from "antd";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "@/kernel/i18n";
import { EmptyState, Icon } from "@/kernel/ui";
import collections from "@/kernel/ui/icons.gen.json";

/** The icons that come with the product: others would have to be fetched from elsewhere. */
const names = collections.flatMap(({ prefix, icons }) =>
  Object.keys(icons).map((icon) => `${prefix}:${icon}`),
);

interface Props {
  chosen: string;
  onChoose: (name: string) => void;
}

export default function IconGrid({ chosen, onChoose }: Props) {
  const { t } = useTranslation("identity");
  const search = useRef<InputRef>(null);
  // Without preventScroll the page would jump to where the popup is drawn first.
  useEffect(() => search.current?.focus({ preventScroll: true }), []);
  const [text, setText] = useState("");
  const shown = names.filter((name) => name.includes(text.trim().toLowerCase()));
  return (
    <div className="icon-grid-box">
      <Input.Search
        ref={search}
        allowClear
        aria-label={t("menu.iconSearch")}
        placeholder={t("menu.iconSearch")}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      {shown.length === 0 ? <EmptyState title={t("menu.iconNone", { text })} /> : null}
      <ul className="icon-grid" aria-label={t("menu.icons")}>
        {shown.map((name) => (
          <li key={name}>
            <button
              type="button"
              title={name}
              aria-label={name}
              aria-pressed={name === chosen}
              onClick={() => onChoose(name)}
            >
              <Icon name={name} size={20} />
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
