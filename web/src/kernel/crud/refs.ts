import { useQuery } from "@tanstack/react-query";
import { get } from "@/kernel/api/client";
import { buildTree } from "@/kernel/rules";

/** A row of a list-all-simple call; the name stands under one of three members. */
export interface RefRow {
  id: number;
  name?: string;
  nickname?: string;
  title?: string;
  parentId?: number | null;
}

export function refLabel(row: RefRow): string {
  return row.name ?? row.nickname ?? row.title ?? String(row.id);
}

const none: RefRow[] = [];

/** The choices of a reference field, shared by every widget that names the same call. */
export function useRefRows(path: string | undefined): { rows: RefRow[]; loading: boolean } {
  const query = useQuery({
    queryKey: ["ref", path],
    queryFn: ({ signal }) => get<RefRow[]>(path ?? "", undefined, { silent: true, signal }),
    enabled: !!path,
    staleTime: 60_000,
    retry: false,
  });
  return { rows: query.data ?? none, loading: query.isFetching };
}

export interface RefNode {
  value: number;
  title: string;
  children?: RefNode[];
}

export function refTree(rows: readonly RefRow[]): RefNode[] {
  const convert = (nodes: ReturnType<typeof buildTree<RefRow>>): RefNode[] =>
    nodes.map((node) => ({
      value: node.id,
      title: refLabel(node),
      ...(node.children ? { children: convert(node.children) } : {}),
    }));
  return convert(buildTree(rows));
}

export function isTree(rows: readonly RefRow[]): boolean {
  return rows.some((row) => row.parentId);
}
