import { TreeSelect } from "antd";
import { useMemo } from "react";
import { buildTree } from "@/kernel/rules";
import { below, indexTree, type TreeItem } from "./marks";

export interface ParentProps {
  id?: string;
  items: readonly TreeItem[];
  /** The row that gets the parent: neither it nor what is below it can be chosen. */
  self?: number;
  /** Name of the top, value 0. */
  top: string;
  value?: unknown;
  onChange?: (value: number) => void;
}

interface Node {
  value: number;
  title: string;
  disabled?: boolean;
  children?: Node[];
}

/** The choices of ParentSelect. */
export function ParentTree({ id, items, self, top, value, onChange }: ParentProps) {
  const data = useMemo(() => {
    const index = indexTree(items);
    const forbidden = new Set(self ? [self, ...below(index, self)] : []);
    const convert = (nodes: ReturnType<typeof buildTree<TreeItem>>): Node[] =>
      nodes.map((node) => ({
        value: node.id,
        title: node.name,
        disabled: forbidden.has(node.id),
        children: node.children ? convert(node.children) : undefined,
      }));
    return [{ value: 0, title: top, children: convert(buildTree(items)) }];
  }, [items, self, top]);
  return (
    <TreeSelect<number, Node>
      id={id}
      value={typeof value === "number" ? value : 0}
      onChange={(next) => onChange?.(next)}
      treeData={data}
      treeDefaultExpandedKeys={[0]}
      showSearch={{ treeNodeFilterProp: "title" }}
      style={{ width: "100%" }}
    />
  );
}
