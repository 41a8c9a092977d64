import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A port that is free now. */
function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() =>
        typeof address === "object" && address ? resolve(address.port) : reject(new Error("no port")),
      );
    });
  });
}

/** The product on a data directory of its own, filled with the demo university. */
export class Server {
  private process: ChildProcess | undefined;

  private constructor(
    private readonly data: string,
    private readonly port: number,
    private readonly captcha: "on" | "off",
  ) {}

  static async start(captcha: "on" | "off" = "off"): Promise<Server> {
    const server = new Server(mkdtempSync(join(tmpdir(), "viva-e2e-")), await freePort(), captcha);
    await server.resume();
    return server;
  }

  get address(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Starts the process, again after crash(), and waits until it answers. */
  async resume(): Promise<void> {
    const options = {
      data: this.data,
      addr: `127.0.0.1:${this.port}`,
      captcha: this.captcha,
      "user-rate": "500",
      log: join(this.data, "viva.log"),
    };
    const given = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
    const child = spawn(process.env.VIVA_BIN ?? "../bin/viva", ["serve", "--demo", ...given], {
      stdio: ["ignore", this.process ? "ignore" : "inherit", "inherit"], // its greeting once
    });
    this.process = child;
    for (let i = 0; i < 300; i++) {
      if (child.exitCode !== null) throw new Error(`viva ended with ${child.exitCode}`);
      const ready = await fetch(`${this.address}/readyz`).then(
        (r) => r.ok,
        () => false,
      );
      if (ready) return;
      await new Promise((r) => setTimeout(r, 100));
    }
    throw new Error("viva did not become ready in 30 s");
  }

  /** Ends the process without a word to it. */
  crash(): Promise<void> {
    return this.end("SIGKILL");
  }

  /** Ends the process in good order and removes its data. */
  async stop(): Promise<void> {
    await this.end("SIGTERM");
    rmSync(this.data, { recursive: true, force: true });
  }

  private async end(signal: NodeJS.Signals): Promise<void> {
    const child = this.process;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise((r) => child.once("exit", r));
    child.kill(signal);
    await gone;
  }
}
