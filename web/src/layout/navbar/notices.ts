import { useQuery, useQueryClient } from "@tanstack/react-query";
import { get } from "@/kernel/api/client";
import { getAccessToken } from "@/kernel/session";

export interface NotifyMessage {
  id: number;
  templateNickname: string | null;
  createTime: number;
  templateType: string | number | null;
  templateContent: string;
}

export const unreadPoll = 120_000;
export const unreadCountKey = ["system", "notify-message", "unread-count"] as const;

/** Number of unread messages, asked every 120 s as long as there is a token. */
export function useUnreadCount(): number {
  const { data } = useQuery({
    queryKey: unreadCountKey,
    queryFn: () =>
      get<number>("/system/notify-message/get-unread-count", undefined, { silent: true, relogin: false }),
    enabled: () => getAccessToken() !== "",
    refetchInterval: () => (getAccessToken() === "" ? false : unreadPoll),
    // The dot is right at the moment the window is looked at again.
    refetchIntervalInBackground: true,
    retry: false,
  });
  return data ?? 0;
}

/** The unread list; loading it counts as having seen that there is something. */
export function useUnreadList(open: boolean) {
  const client = useQueryClient();
  return useQuery({
    queryKey: ["system", "notify-message", "unread-list"],
    queryFn: async () => {
      const list = await get<NotifyMessage[]>("/system/notify-message/get-unread-list", undefined, {
        silent: true,
      });
      client.setQueryData(unreadCountKey, 0);
      return list ?? [];
    },
    enabled: open,
    gcTime: 0,
    staleTime: 0,
    retry: false,
  });
}
