import { useQuery } from "@tanstack/react-query";
import { get, put } from "@/kernel/api/client";
import { loadSession } from "@/kernel/session";

export interface Named {
  id: number;
  name: string;
}

export interface Profile {
  id: number;
  username: string;
  nickname: string;
  type: number;
  email: string;
  mobile: string;
  sex: number;
  avatar: string;
  introduction: string;
  loginIp: string;
  loginDate: number | null;
  createTime: number;
  roles: Named[];
  dept: Named | null;
  posts: Named[];
}

export interface OwnSession {
  id: number;
  userIp: string;
  userAgent: string;
  createTime: number;
  lastTime: number;
  expiresTime: number;
  current: boolean;
}

export const profileKey = ["/system/user/profile", "get"] as const;

export function useProfile() {
  return useQuery({
    queryKey: profileKey,
    queryFn: ({ signal }) => get<Profile>("/system/user/profile/get", undefined, { silent: true, signal }),
    retry: false,
  });
}

/** Changes some of one's own data; absent members keep their value. */
export async function updateProfile(part: Partial<Profile>): Promise<void> {
  await put("/system/user/profile/update", part, { silent: true });
  // The name and the picture stand in the frame of the application, too.
  await loadSession().catch(() => undefined);
}

export function useOwnSessions() {
  return useQuery({
    queryKey: ["/system/user/profile", "sessions"],
    queryFn: ({ signal }) =>
      get<OwnSession[]>("/system/user/profile/sessions", undefined, { silent: true, signal }),
    staleTime: 0,
    retry: false,
  });
}
