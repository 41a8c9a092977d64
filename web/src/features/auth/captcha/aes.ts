/**
 * AES-128 in ECB mode with PKCS#7 padding, encryption only: what the captcha's wire format asks for.
 * WebCrypto has no ECB and is missing on plain http. It hides nothing worth hiding; the server's
 * limits and lock-out are the protection.
 */
const box = buildBox();

function double(value: number): number {
  return ((value << 1) ^ (value & 0x80 ? 0x11b : 0)) & 0xff;
}

/** The substitution box, derived from inverses in GF(2^8) instead of a table of 256 numbers. */
function buildBox(): Uint8Array {
  const result = new Uint8Array(256);
  let p = 1;
  let q = 1;
  do {
    p = p ^ double(p);
    q ^= q << 1;
    q ^= q << 2;
    q ^= q << 4;
    q &= 0xff;
    if (q & 0x80) q ^= 0x09;
    const turned = q ^ turn(q, 1) ^ turn(q, 2) ^ turn(q, 3) ^ turn(q, 4);
    result[p] = turned ^ 0x63;
  } while (p !== 1);
  result[0] = 0x63;
  return result;
}

function turn(value: number, by: number): number {
  return ((value << by) | (value >> (8 - by))) & 0xff;
}

const at = (bytes: Uint8Array, index: number): number => bytes[index] as number;

/** The eleven round keys, one after the other. */
function expandKey(key: Uint8Array): Uint8Array {
  const words = new Uint8Array(176);
  words.set(key);
  let constant = 1;
  for (let i = 16; i < 176; i += 4) {
    let word = [0, 1, 2, 3].map((k) => at(words, i - 4 + k));
    if (i % 16 === 0) {
      word = [1, 2, 3, 0].map((k) => at(box, word[k] as number));
      word[0] = (word[0] as number) ^ constant;
      constant = double(constant);
    }
    for (let k = 0; k < 4; k++) words[i + k] = at(words, i - 16 + k) ^ (word[k] as number);
  }
  return words;
}

function addKey(state: Uint8Array, keys: Uint8Array, round: number): void {
  for (let i = 0; i < 16; i++) state[i] = at(state, i) ^ at(keys, round * 16 + i);
}

function substituteAndShift(state: Uint8Array): void {
  const before = state.slice();
  for (let column = 0; column < 4; column++) {
    for (let row = 0; row < 4; row++) {
      state[column * 4 + row] = at(box, at(before, ((column + row) % 4) * 4 + row));
    }
  }
}

function mixColumns(state: Uint8Array): void {
  for (let c = 0; c < 16; c += 4) {
    const column = state.slice(c, c + 4);
    const all = column.reduce((sum, byte) => sum ^ byte, 0);
    for (let row = 0; row < 4; row++) {
      const pair = at(column, row) ^ at(column, (row + 1) % 4);
      state[c + row] = at(column, row) ^ all ^ double(pair);
    }
  }
}

function encryptBlock(state: Uint8Array, keys: Uint8Array): void {
  addKey(state, keys, 0);
  for (let round = 1; round <= 10; round++) {
    substituteAndShift(state);
    if (round < 10) mixColumns(state);
    addKey(state, keys, round);
  }
}

/** Encrypts a text under a 16-byte key; the answer is standard base64. An empty key leaves the text in clear. */
export function encrypt(text: string, key: string | null | undefined): string {
  if (!key) return text;
  const keyBytes = new TextEncoder().encode(key);
  if (keyBytes.length !== 16) throw new Error("the captcha key must be 16 bytes long");
  const keys = expandKey(keyBytes);
  const plain = new TextEncoder().encode(text);
  const padding = 16 - (plain.length % 16);
  const padded = new Uint8Array(plain.length + padding).fill(padding);
  padded.set(plain);
  for (let offset = 0; offset < padded.length; offset += 16) {
    encryptBlock(padded.subarray(offset, offset + 16), keys);
  }
  return btoa(String.fromCharCode(...padded));
}
