import { HttpResponse, http } from "msw";
import { setupServer } from "msw/node";

/** The fake server of component tests; handlers are added by the tests themselves. */
export const server = setupServer();

export const api = (path: string) => `http://localhost/admin-api${path}`;

/** A successful envelope. */
export function ok(data: unknown) {
  return HttpResponse.json({ code: 0, data, msg: "" });
}

/** An answered failure; `more` adds members such as fields. */
export function failure(code: number, msg = "", more: object = {}) {
  return HttpResponse.json({ code, data: null, msg, ...more });
}

export { HttpResponse, http };
