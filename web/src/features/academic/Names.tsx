import { Flex, Select, Tag } from "antd";

interface Props {
  id?: string;
  value?: unknown;
  onChange?: (value: string[]) => void;
  /** Words offered for choice; others may be typed. */
  offered?: readonly string[];
}

/** Edits a list of short words: typed, pasted with commas, or chosen. */
export function NamesInput({ id, value, onChange, offered = [] }: Props) {
  return (
    <Select<string[]>
      id={id}
      mode="tags"
      value={(value as string[] | null) ?? []}
      onChange={(words) => onChange?.([...new Set(words.map((word) => word.trim()).filter(Boolean))])}
      tokenSeparators={[",", "，", "、", ";", "；"]}
      options={offered.map((word) => ({ value: word, label: word }))}
      style={{ width: "100%" }}
    />
  );
}

/** A list of short words as tags. */
export function NamesText({ value }: { value: unknown }) {
  const words = (value as string[] | null) ?? [];
  return (
    <Flex gap={4} wrap>
      {words.map((word) => (
        <Tag key={word}>{word}</Tag>
      ))}
    </Flex>
  );
}
