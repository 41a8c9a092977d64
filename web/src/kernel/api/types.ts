import type { paths } from "./schema.gen";

type Method = "get" | "post" | "put" | "delete";

type Operation<P extends string, M extends Method> = P extends keyof paths
  ? OperationAt<paths[P], M>
  : `/admin-api${P}` extends keyof paths
    ? OperationAt<paths[`/admin-api${P}`], M>
    : unknown;

type OperationAt<Item, M extends Method> = M extends keyof Item ? Item[M] : unknown;

type Answer<Op> = Op extends {
  responses: { 200: { content: { "application/json": infer Body } } };
}
  ? Body extends { data: infer Data }
    ? Data
    : Body extends { data?: infer Data }
      ? Data
      : Body
  : unknown;

/** What a call resolves to by the generated document; unknown for a path it does not hold. */
export type Answered<P extends string, M extends Method> = Answer<Operation<P, M>>;

/** A path of the document (without prefix) offered for completion; any other string is allowed. */
export type Path = (keyof paths & string) | (string & {});

export interface Envelope {
  code?: number;
  data?: unknown;
  msg?: string | null;
  fields?: unknown;
}

export interface CallOptions {
  /** The caller shows business errors itself (header customBizErrorMsg). */
  silent?: boolean;
  /** Sent as Idempotency-Key: a repeated submission answers what the first one answered. */
  idempotencyKey?: string;
  signal?: AbortSignal;
  /** Query of a call that also has a body. */
  query?: object;
  /** Send no bearer token and never start the refresh flow: sign-in and other public calls. */
  anonymous?: boolean;
  /** Whether a lost session asks the user to sign in again; default true. */
  relogin?: boolean;
  /** Time-out in milliseconds; default 30000. */
  timeout?: number;
}

export interface DeleteOptions extends CallOptions {
  /** Sent as JSON: some deletions of the wire family carry their members in a body. */
  body?: unknown;
}

export interface PageOf<Row> {
  list: Row[];
  total: number;
  totalCapped?: boolean;
}
