import { Flex } from "antd";
import { LockedButton } from "@/kernel/ui";

export interface RowButton {
  key: string;
  label: string;
  danger?: boolean;
  /** Why it cannot be pressed; "" when it can. */
  locked?: string;
  onClick: () => void;
}

/** The acts of one row as links with the row's name for readers of the screen. */
export function RowButtons({ name, buttons }: { name: string; buttons: RowButton[] }) {
  return (
    <Flex gap={4} style={{ marginInline: -7 }}>
      {buttons.map(({ key, label, danger, locked = "", onClick }) => (
        <LockedButton
          key={key}
          compact
          reason={locked}
          type="link"
          size="small"
          danger={danger}
          aria-label={`${label} ${name}`}
          onClick={onClick}
        >
          {label}
        </LockedButton>
      ))}
    </Flex>
  );
}
