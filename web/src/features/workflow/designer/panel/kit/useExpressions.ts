import { useQuery } from "@tanstack/react-query";
import { get, type PageOf } from "@/kernel/api/client";

interface Stored {
  id: number;
  name: string;
  expression: string;
}

const none: Stored[] = [];

/** The expressions that an administrator keeps for designers; none when they may not be read. */
export function useExpressions(): Stored[] {
  const { data } = useQuery({
    queryKey: ["/bpm/process-expression", "designer"],
    queryFn: ({ signal }) =>
      get<PageOf<Stored>>(
        "/bpm/process-expression/page",
        { status: 0, pageSize: 500 },
        { silent: true, signal },
      ),
    staleTime: 60_000,
    retry: false,
  });
  return data?.list ?? none;
}
