import { useQuery } from "@tanstack/react-query";
import { get } from "@/kernel/api/client";
import type { MyMentor, Progress } from "./wire";

/** Everything this module keeps of the server stands under one key, so that one act refreshes it. */
export const thesisKey = "thesis";

export const keys = {
  progress: [thesisKey, "progress"],
  mySubject: [thesisKey, "my-subject"],
  mentor: [thesisKey, "mentor"],
  todo: [thesisKey, "todo"],
  subject: (id: number) => [thesisKey, "subject", id],
  students: [thesisKey, "my-students"],
  overview: [thesisKey, "overview"],
} as const;

const quiet = { silent: true } as const;

export function useProgress(enabled = true) {
  return useQuery({
    queryKey: keys.progress,
    queryFn: ({ signal }) => get<Progress>("/thesis/record/my-progress", undefined, { ...quiet, signal }),
    enabled,
    retry: false,
  });
}

export function useMyMentor() {
  return useQuery({
    queryKey: keys.mentor,
    queryFn: ({ signal }) => get<MyMentor>("/thesis/supervision/my-mentor", undefined, { ...quiet, signal }),
    retry: false,
  });
}
