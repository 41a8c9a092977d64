import { Select, Tag } from "antd";
import { useTranslation } from "@/kernel/i18n";
import { colours } from "./data";

interface TagProps {
  colour: string;
  css?: string;
  text: string;
}

/** An entry as lists show it. */
export function ColourTag({ colour, css, text }: TagProps) {
  return (
    <Tag color={colours[colour || "default"] ?? "default"} className={css || undefined}>
      {text}
    </Tag>
  );
}

interface ChoiceProps {
  id?: string;
  value?: string;
  onChange?: (colour: string) => void;
}

/** Chooses a colour by its look. */
export function ColourChoice({ id, value, onChange }: ChoiceProps) {
  const { t } = useTranslation("system");
  return (
    <Select<string>
      id={id}
      value={value}
      onChange={onChange}
      options={Object.keys(colours).map((colour) => ({
        value: colour,
        label: <ColourTag colour={colour} text={t(`dict.colour.${colour}`)} />,
      }))}
      style={{ width: "100%" }}
    />
  );
}
