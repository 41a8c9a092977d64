import { Server } from "./support/server";

/** Starts two servers on empty data directories: one with the sign-in puzzle, one without. */
export default async function start(): Promise<() => Promise<void>> {
  const plain = await Server.start("off");
  const puzzle = await Server.start("on");
  process.env.VIVA_URL = plain.address;
  process.env.VIVA_PUZZLE_URL = puzzle.address;
  return async () => {
    await plain.stop();
    await puzzle.stop();
  };
}
