import { QueryClient } from "@tanstack/react-query";
import { ApiError, NETWORK_ERROR, TIMEOUT_ERROR } from "@/kernel/api/errors";
import { useSession } from "@/kernel/session";

/** Only failures of the way to the server are worth a second try. */
function worthRetry(failures: number, error: unknown): boolean {
  if (failures > 0 || !(error instanceof ApiError)) return false;
  return error.code === NETWORK_ERROR || error.code === TIMEOUT_ERROR;
}

export function createQueryClient(): QueryClient {
  const client = new QueryClient({
    defaultOptions: {
      queries: { retry: worthRetry, staleTime: 5_000, refetchOnWindowFocus: false },
      mutations: { retry: false },
    },
  });
  // What one person loaded is never shown to the next one.
  useSession.subscribe((state, before) => {
    if (state.user?.id !== before.user?.id) client.clear();
  });
  return client;
}
