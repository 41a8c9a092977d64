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

async function untilReady(base: string, server: ChildProcess): Promise<void> {
  for (let i = 0; i < 300; i++) {
    if (server.exitCode !== null) throw new Error(`viva ended with ${server.exitCode}`);
    const ready = await fetch(`${base}/readyz`).then(
      (r) => r.ok,
      () => false,
    );
    if (ready) return;
    await new Promise((r) => setTimeout(r, 100));
  }
  throw new Error("viva did not become ready in 30 s");
}

/** Starts two servers on empty data directories: one with the sign-in puzzle, one without. */
export default async function start(): Promise<() => Promise<void>> {
  const running: { server: ChildProcess; data: string }[] = [];
  for (const [name, captcha] of [
    ["VIVA_URL", "off"],
    ["VIVA_PUZZLE_URL", "on"],
  ] as const) {
    const port = await freePort();
    const data = mkdtempSync(join(tmpdir(), "viva-e2e-"));
    const server = spawn(
      process.env.VIVA_BIN ?? "../bin/viva",
      [
        "serve",
        "--demo",
        "--data",
        data,
        "--addr",
        `127.0.0.1:${port}`,
        "--captcha",
        captcha,
        "--user-rate",
        "500",
        "--log",
        join(data, "viva.log"),
      ],
      { stdio: "inherit" },
    );
    running.push({ server, data });
    process.env[name] = `http://127.0.0.1:${port}`;
    await untilReady(`http://127.0.0.1:${port}`, server);
  }
  return async () => {
    for (const { server, data } of running) {
      server.kill("SIGTERM");
      await new Promise((r) => server.once("exit", r));
      rmSync(data, { recursive: true, force: true });
    }
  };
}
