import { TreeSelect } from "antd";
import type { RefProps } from "./RefSelect";
import { type RefRow, refTree } from "./refs";

interface Props extends Omit<RefProps, "path" | "value"> {
  rows: readonly RefRow[];
  loading: boolean;
  value: number | number[] | undefined;
}

/** Chooses from rows that form a tree. */
export function RefTree({ rows, loading, multiple, ...rest }: Props) {
  return (
    <TreeSelect<number | number[]>
      {...rest}
      multiple={multiple}
      allowClear
      showSearch={{ treeNodeFilterProp: "title" }}
      treeDefaultExpandAll
      treeData={refTree(rows)}
      loading={loading}
      style={{ width: "100%" }}
    />
  );
}
