import { useCallback, useEffect, useRef, useState } from "react";
import { ABORTED, ApiError, errorText } from "@/kernel/api/errors";
import { ResumableUpload, type UploadedFile, type UploadProgress, type UploadSlot } from "./resumable";

export interface UploadTask {
  key: string;
  name: string;
  size: number;
  state: "running" | "paused" | "failed";
  progress: UploadProgress;
  reason?: string;
}

interface Uploads {
  tasks: UploadTask[];
  add: (file: File) => void;
  pause: (key: string) => void;
  resume: (key: string) => void;
  cancel: (key: string) => void;
}

let serial = 0;

/** Runs uploads of one field; finished ones are handed to `onDone` and leave the list. */
export function useUploads(slot: UploadSlot, onDone: (file: UploadedFile) => void): Uploads {
  const [tasks, setTasks] = useState<UploadTask[]>([]);
  const runs = useRef(new Map<string, ResumableUpload>());
  const done = useRef(onDone);
  useEffect(() => {
    done.current = onDone;
  });
  useEffect(() => {
    const all = runs.current;
    return () => {
      for (const run of all.values()) run.pause();
    };
  }, []);

  const change = useCallback((key: string, part: Partial<UploadTask>) => {
    setTasks((list) => list.map((task) => (task.key === key ? { ...task, ...part } : task)));
  }, []);

  const start = useCallback(
    async (key: string) => {
      const run = runs.current.get(key);
      if (!run) return;
      change(key, { state: "running", reason: undefined });
      try {
        const file = await run.run();
        runs.current.delete(key);
        setTasks((list) => list.filter((task) => task.key !== key));
        done.current(file);
      } catch (error) {
        if (error instanceof ApiError && error.code === ABORTED) change(key, { state: "paused" });
        else change(key, { state: "failed", reason: errorText(error) });
      }
    },
    [change],
  );

  const add = (file: File) => {
    serial += 1;
    const key = `upload-${serial}`;
    const progress: UploadProgress = { loaded: 0, total: file.size, rate: 0, phase: "checking" };
    runs.current.set(key, new ResumableUpload(file, slot, (next) => change(key, { progress: next })));
    setTasks((list) => [...list, { key, name: file.name, size: file.size, state: "running", progress }]);
    void start(key);
  };

  return {
    tasks,
    add,
    pause: (key) => runs.current.get(key)?.pause(),
    resume: (key) => void start(key),
    cancel: (key) => {
      runs.current.get(key)?.cancel();
      runs.current.delete(key);
      setTasks((list) => list.filter((task) => task.key !== key));
    },
  };
}
