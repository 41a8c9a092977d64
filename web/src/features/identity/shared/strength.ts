/** The length the server takes. */
export const PASSWORD_MIN = 8;
export const PASSWORD_MAX = 64;

export type PasswordFault = "length" | "username" | "pattern";

const runs = [
  "abcdefghijklmnopqrstuvwxyz",
  "01234567890",
  "09876543210",
  "qwertyuiop",
  "asdfghjkl",
  "zxcvbnm",
  "1qaz2wsx3edc4rfv5tgb6yhn7ujm",
  "1q2w3e4r5t6y7u8i9o0p",
];

/** What is wrong with a new password; the server also refuses the ones everybody uses. */
export function passwordFaults(password: string, username: string): PasswordFault[] {
  const faults: PasswordFault[] = [];
  const length = [...password].length;
  if (length < PASSWORD_MIN || length > PASSWORD_MAX) faults.push("length");
  const name = username.trim().toLowerCase();
  const lower = password.toLowerCase();
  if (name.length >= 3 && lower.includes(name)) faults.push("username");
  if (lower === "" || isRepeated(lower) || runs.some((run) => run.includes(lower))) faults.push("pattern");
  return faults;
}

/** One unit of up to four characters over and over. */
function isRepeated(text: string): boolean {
  return [1, 2, 3, 4].some((size) => {
    const unit = text.slice(0, size);
    return text.length > size && unit.repeat(Math.ceil(text.length / size)).slice(0, text.length) === text;
  });
}

/** 0 refused, 1 weak, 2 fair, 3 strong: long ones with different characters are hard to guess. */
export function passwordScore(password: string, username: string): 0 | 1 | 2 | 3 {
  if (passwordFaults(password, username).length > 0) return 0;
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z0-9]/].filter((kind) => kind.test(password)).length;
  const distinct = new Set(password).size;
  const points = [...password].length + kinds * 2 + Math.min(distinct, 12);
  if (points >= 30) return 3;
  return points >= 22 ? 2 : 1;
}

const letters = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789";

/** A random password without characters that look alike; about 80 bits. */
export function randomPassword(length = 14): string {
  let text = "";
  while (text.length < length) {
    const [byte = 0] = crypto.getRandomValues(new Uint8Array(1));
    // Bytes beyond the last whole multiple would favour the first letters.
    if (byte < 256 - (256 % letters.length)) text += letters[byte % letters.length];
  }
  return text;
}
