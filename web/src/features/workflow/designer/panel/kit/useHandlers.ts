import { useQuery } from "@tanstack/react-query";
import { get } from "@/kernel/api/client";

/** What the server can do and a diagram may name. */
export interface Handler {
  kind: "handler" | "decision" | "rule";
  name: string;
  title: string;
  uses: ("service" | "execution" | "task")[];
  async: boolean;
  fields: { name: string; type: string; required: boolean; zh: string; en: string }[];
}

const none: Handler[] = [];

/** The handlers, decisions and rules of assignment of the server; none when they may not be read. */
export function useHandlers(): Handler[] {
  const { data } = useQuery({
    queryKey: ["/bpm/model/handlers"],
    queryFn: ({ signal }) => get<Handler[]>("/bpm/model/handlers", undefined, { silent: true, signal }),
    staleTime: 300_000,
    retry: false,
  });
  return data ?? none;
}
