import { type CaptchaCheck, checkCaptcha } from "../api";
import { encrypt } from "./aes";

/** Pictures are 310 px wide on the wire, whatever their size on the screen; the piece is 47 px wide. */
export const pictureWidth = 310;
export const pieceWidth = 47;
export const lastPosition = pictureWidth - pieceWidth;
const pieceTop = 5;

export function clampPosition(x: number): number {
  return Math.min(lastPosition, Math.max(0, x));
}

/** A distance on the screen in pixels of the wire's picture. */
export function toPicture(distance: number, shownWidth: number): number {
  return shownWidth > 0 ? (distance * pictureWidth) / shownWidth : 0;
}

/** The position as the server reads it: two decimals are more than anybody can aim. */
export function pointText(x: number): string {
  return JSON.stringify({ x: Math.round(x * 100) / 100, y: pieceTop });
}

interface Challenge {
  token: string;
  secretKey: string | null;
}

export type CaptchaResult =
  | { ok: true; verification: string }
  | { ok: false; code: string; message: string | null };

/** Has an answer checked; a right one gives the text that sign-in sends along. */
export async function submitAnswer(
  captchaType: CaptchaCheck["captchaType"],
  challenge: Challenge,
  answer: string,
): Promise<CaptchaResult> {
  const { token, secretKey } = challenge;
  const reply = await checkCaptcha({ captchaType, token, pointJson: encrypt(answer, secretKey) });
  if (reply.repCode !== "0000") return { ok: false, code: reply.repCode, message: reply.repMsg };
  return { ok: true, verification: encrypt(`${token}---${answer}`, secretKey) };
}
