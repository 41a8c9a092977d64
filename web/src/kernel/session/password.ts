import { readItem, writeItem } from "./storage";

/**
 * The remembered password is AES-GCM ciphertext; its key lives in IndexedDB and cannot be exported.
 * On plain http WebCrypto is missing: then nothing is kept and the page says so.
 */
const DATABASE = "viva-keys";
const STORE = "keys";
const KEY = "password";

export function canRememberPassword(): boolean {
  return typeof crypto !== "undefined" && !!crypto.subtle && typeof indexedDB !== "undefined";
}

export async function rememberPassword(password: string): Promise<boolean> {
  if (!canRememberPassword()) return false;
  const key = await passwordKey();
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const sealed = await crypto.subtle.encrypt(
    { name: "AES-GCM", iv },
    key,
    new TextEncoder().encode(password),
  );
  writeItem("PASSWORD", `${toBase64(iv)}.${toBase64(new Uint8Array(sealed))}`);
  return true;
}

/** The remembered password, or "" when there is none or it cannot be opened any more. */
export async function recallPassword(): Promise<string> {
  const [iv, sealed] = readItem("PASSWORD").split(".");
  if (!iv || !sealed || !canRememberPassword()) return "";
  try {
    const key = await passwordKey();
    const open = await crypto.subtle.decrypt(
      { name: "AES-GCM", iv: fromBase64(iv) },
      key,
      fromBase64(sealed),
    );
    return new TextDecoder().decode(open);
  } catch {
    forgetPassword();
    return "";
  }
}

export function forgetPassword(): void {
  writeItem("PASSWORD", "");
}

async function passwordKey(): Promise<CryptoKey> {
  const database = await openDatabase();
  try {
    const stored = await request<CryptoKey | undefined>(
      database.transaction(STORE).objectStore(STORE).get(KEY),
    );
    if (stored) return stored;
    const key = await crypto.subtle.generateKey({ name: "AES-GCM", length: 256 }, false, [
      "encrypt",
      "decrypt",
    ]);
    await request(database.transaction(STORE, "readwrite").objectStore(STORE).put(key, KEY));
    return key;
  } finally {
    database.close();
  }
}

function openDatabase(): Promise<IDBDatabase> {
  const opening = indexedDB.open(DATABASE, 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
  return request(opening);
}

function request<T>(pending: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    pending.onsuccess = () => resolve(pending.result);
    pending.onerror = () => reject(pending.error);
  });
}

function toBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
}
