import { get, post, put } from "@/kernel/api/client";
import { ABORTED, ApiError } from "@/kernel/api/errors";

export type UploadSlot = "avatar" | "image" | "document" | (string & {});

export interface UploadedFile {
  id: number;
  name: string;
  size: number;
  sha256?: string;
  mime?: string;
  url?: string;
}

export interface UploadProgress {
  /** Bytes the server has. */
  loaded: number;
  total: number;
  /** Bytes per second over the last seconds; 0 while unknown. */
  rate: number;
  phase: "checking" | "sending" | "finishing";
}

interface UploadStatus {
  offset: number;
  size: number;
  chunkSize?: number;
}

const DEFAULT_CHUNK = 1024 * 1024;
const HASH_LIMIT = 64 * 1024 * 1024;
const RETRIES = 4;

/**
 * One file on its way to the server in chunks. It can be paused and resumed, survives a lost
 * connection, and a file chosen again after a reload goes on where the server stopped.
 */
export class ResumableUpload {
  private readonly file: File;
  private readonly slot: UploadSlot;
  private readonly onProgress: (progress: UploadProgress) => void;
  private uploadId = "";
  private offset = 0;
  private chunkSize = DEFAULT_CHUNK;
  private controller = new AbortController();
  private marks: { at: number; loaded: number }[] = [];

  constructor(file: File, slot: UploadSlot, onProgress: (progress: UploadProgress) => void) {
    this.file = file;
    this.slot = slot;
    this.onProgress = onProgress;
  }

  /** Starts or goes on; rejects with code ABORTED after `pause`. */
  async run(): Promise<UploadedFile> {
    this.controller = new AbortController();
    this.marks = [];
    await this.begin();
    await this.sendChunks();
    this.report("finishing");
    const done = await post<UploadedFile>(
      "/infra/file/upload-finish",
      { uploadId: this.uploadId },
      { silent: true, signal: this.controller.signal, timeout: 120_000 },
    );
    localStorage.removeItem(this.memoryKey());
    return done;
  }

  pause(): void {
    this.controller.abort();
  }

  /** Stops for good and forgets where it was. */
  cancel(): void {
    this.controller.abort();
    localStorage.removeItem(this.memoryKey());
  }

  private async begin(): Promise<void> {
    const known = this.uploadId || localStorage.getItem(this.memoryKey()) || "";
    if (known && (await this.takeUp(known))) return;
    this.report("checking");
    const sha256 = await this.digest();
    const begun = await post<{ uploadId: string | number; offset?: number; chunkSize?: number }>(
      "/infra/file/upload-begin",
      { name: this.file.name, size: this.file.size, slot: this.slot, ...(sha256 ? { sha256 } : {}) },
      { silent: true, signal: this.controller.signal },
    );
    this.uploadId = String(begun.uploadId);
    this.offset = begun.offset ?? 0;
    this.chunkSize = begun.chunkSize || DEFAULT_CHUNK;
    localStorage.setItem(this.memoryKey(), this.uploadId);
  }

  /** Goes on with an upload the server may still know. */
  private async takeUp(uploadId: string): Promise<boolean> {
    try {
      const status = await this.status(uploadId);
      if (status.size !== this.file.size) return false;
      this.uploadId = uploadId;
      this.offset = status.offset;
      this.chunkSize = status.chunkSize || DEFAULT_CHUNK;
      return true;
    } catch (error) {
      if (error instanceof ApiError && error.code < 0) throw error;
      this.uploadId = "";
      localStorage.removeItem(this.memoryKey());
      return false;
    }
  }

  private status(uploadId: string): Promise<UploadStatus> {
    return get(
      "/infra/file/upload-status",
      { uploadId },
      { silent: true, signal: this.controller.signal },
    ) as Promise<UploadStatus>;
  }

  private async sendChunks(): Promise<void> {
    this.report("sending");
    let failures = 0;
    while (this.offset < this.file.size) {
      try {
        const part = this.file.slice(this.offset, this.offset + this.chunkSize);
        const answer = await put<{ offset: number }>("/infra/file/upload-chunk", part, {
          silent: true,
          signal: this.controller.signal,
          timeout: 120_000,
          query: { uploadId: this.uploadId, offset: this.offset },
        });
        this.offset = answer.offset;
        failures = 0;
        this.report("sending");
      } catch (error) {
        failures += 1;
        await this.recover(error, failures);
      }
    }
  }

  /** After a failed chunk: asks the server where it is; business refusals are final. */
  private async recover(error: unknown, failures: number): Promise<void> {
    const code = error instanceof ApiError ? error.code : 0;
    if (code === ABORTED || this.controller.signal.aborted) throw error;
    if (failures >= RETRIES) throw error;
    await this.wait(300 * 3 ** (failures - 1));
    let status: { offset: number };
    try {
      status = await this.status(this.uploadId);
    } catch (lost) {
      if (lost instanceof ApiError && lost.code < 0 && lost.code !== ABORTED) return;
      throw error;
    }
    this.offset = status.offset;
  }

  private wait(ms: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const signal = this.controller.signal;
      const timer = setTimeout(resolve, ms);
      const stop = () => {
        clearTimeout(timer);
        reject(new ApiError(ABORTED, ""));
      };
      signal.addEventListener("abort", stop, { once: true });
    });
  }

  private report(phase: UploadProgress["phase"]): void {
    const now = performance.now();
    this.marks = [...this.marks.filter((mark) => now - mark.at < 5000), { at: now, loaded: this.offset }];
    const first = this.marks[0];
    const seconds = first ? (now - first.at) / 1000 : 0;
    const rate = first && seconds > 0 ? (this.offset - first.loaded) / seconds : 0;
    this.onProgress({ loaded: this.offset, total: this.file.size, rate, phase });
  }

  private async digest(): Promise<string> {
    if (!globalThis.crypto?.subtle || this.file.size > HASH_LIMIT) return "";
    const hash = await crypto.subtle.digest("SHA-256", await this.file.arrayBuffer());
    return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, "0")).join("");
  }

  private memoryKey(): string {
    return `viva-upload:${this.slot}:${this.file.name}:${this.file.size}:${this.file.lastModified}`;
  }
}
