import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { post, put } from "@/kernel/api/client";
import { ApiError } from "@/kernel/api/errors";
import { randomId } from "@/kernel/rules";
import type { BaseRow, Entity } from "./entity";

/** The server's code for "somebody changed this record meanwhile". */
export const STALE_VERSION = 1070000002;

export function isConflict(error: unknown): boolean {
  return error instanceof ApiError && error.code === STALE_VERSION;
}

export interface SaveHandle {
  saving: boolean;
  /** Creates, or updates when `original` is given; rejects with the ApiError. */
  save: (values: object, original?: BaseRow | null) => Promise<unknown>;
}

/**
 * Saves rows of an entity. The same content sent again carries the same idempotency key,
 * so a repeated submission after a lost answer creates nothing twice.
 */
export function useSave(entity: Entity): SaveHandle {
  const client = useQueryClient();
  const sent = useRef({ content: "", key: "" });
  const mutation = useMutation({
    mutationFn: ({ values, original }: { values: object; original: BaseRow | null }) => {
      const body = original ? { ...values, id: original.id, ...versionOf(entity, original) } : values;
      const content = JSON.stringify(body);
      if (sent.current.content !== content) sent.current = { content, key: randomId(32) };
      const opts = { silent: true, idempotencyKey: sent.current.key };
      return original
        ? put<unknown>(`${entity.path}/update`, body, opts)
        : post<unknown>(`${entity.path}/create`, body, opts);
    },
    onSuccess: () => {
      sent.current = { content: "", key: "" };
      return client.invalidateQueries({ queryKey: [entity.path] });
    },
  });
  return {
    saving: mutation.isPending,
    save: (values, original = null) => mutation.mutateAsync({ values, original }),
  };
}

function versionOf(entity: Entity, row: BaseRow): { version?: number } {
  return entity.versioned ? { version: row.version } : {};
}
