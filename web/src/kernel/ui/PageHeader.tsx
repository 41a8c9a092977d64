import { Flex } from "antd";
import type { ReactNode } from "react";

interface Props {
  title: ReactNode;
  /** Count or state beside the title. */
  extra?: ReactNode;
  description?: ReactNode;
  actions?: ReactNode;
}

const quiet = { color: "var(--viva-text-secondary)" } as const;

/** Title of a page with its count on the left and its actions on the right. */
export function PageHeader({ title, extra, description, actions }: Props) {
  return (
    <Flex justify="space-between" align="center" gap={8} wrap style={{ marginBottom: 16 }}>
      <div>
        <Flex align="baseline" gap={8}>
          <h1 style={{ fontSize: 20, lineHeight: 1.4, margin: 0 }}>{title}</h1>
          {extra ? <span style={quiet}>{extra}</span> : null}
        </Flex>
        {description ? <div style={quiet}>{description}</div> : null}
      </div>
      {actions ? (
        <Flex gap={8} wrap>
          {actions}
        </Flex>
      ) : null}
    </Flex>
  );
}
