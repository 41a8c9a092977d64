import { Typography } from "antd";
import { createContext, useContext } from "react";

/** What the server refused, by member. */
export const RefusedMembers = createContext<Record<string, string>>({});

/** Where a refusal stands that names a whole group of inputs. */
export function Refused({ name }: { name: string }) {
  const text = useContext(RefusedMembers)[name];
  return text ? (
    <Typography.Paragraph type="danger" role="alert">
      {text}
    </Typography.Paragraph>
  ) : null;
}
