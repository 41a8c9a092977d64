/** Empty values pass the number rules: whether a field is required is another rule. */
function emptyOr(test: RegExp): (value: unknown) => boolean {
  return (value) => value === null || value === undefined || value === "" || test.test(String(value));
}

/** 0 to 100 with at most two decimals. */
export const isDecimal0To100 = emptyOr(/^(100(\.0{1,2})?|[1-9]?\d(\.\d{1,2})?)$/);
export const isInteger0To100 = emptyOr(/^(100|[1-9]?\d)$/);
export const isPositiveInteger = emptyOr(/^[1-9]\d*$/);

/** Addresses that leave the application: http, https, mailto and tel. */
export function isExternalLink(path: string): boolean {
  return /^(https?:|mailto:|tel:)/i.test(path);
}

export function isHttpLink(path: string): boolean {
  return /^https?:\/\//i.test(path);
}

export function isUrl(text: string): boolean {
  if (!/^(https?|ftp):\/\//i.test(text) || /\s/.test(text)) return false;
  try {
    const url = new URL(text);
    return url.hostname === "localhost" || url.hostname.includes(".") || url.hostname.startsWith("[");
  } catch {
    return false;
  }
}

export function isEmail(text: string): boolean {
  return /^[^\s@<>()[\]\\,;:"]+@([A-Za-z0-9-]+\.)+[A-Za-z]{2,}$/.test(text);
}

export const isLowerCase = (text: string): boolean => /^[a-z]+$/.test(text);
export const isUpperCase = (text: string): boolean => /^[A-Z]+$/.test(text);
export const isLetters = (text: string): boolean => /^[A-Za-z]+$/.test(text);

/** Only the two built-in names are valid here. */
export function isValidUsername(text: string): boolean {
  return ["admin", "editor"].includes(text.trim());
}

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** A random id for elements of a page; not a secret. */
export function randomId(length = 8): string {
  const bytes = crypto.getRandomValues(new Uint8Array(length));
  return Array.from(bytes, (byte) => alphabet[byte % alphabet.length]).join("");
}

export function stripTags(html: string): string {
  return html.replace(/<[^>]*>/g, "").trim();
}
