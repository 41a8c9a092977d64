import { describe, expect, it } from "vitest";
import { encrypt } from "./aes";

const key = "XwKsGlMcdPMEhR1B";

describe("captcha encryption", () => {
  it.each([
    ['{"x":123.5,"y":5}', "CYOub5du4jRgdyK2RTZZ2aQdo5ChmvcuSLkPpa63WiM="],
    ["学位论文系统", "VjQZZHQWsXgmLyUZ/lJ2OeJ9oHdJU2xkkzcN0xFIgnI="],
    ['a1b2c3---{"x":123.5,"y":5}', "7tnfVTd26in75w62uEdCLH8I3IoQWnTW8efmahbPY7c="],
  ])("encrypts %s as the wire contract says", (text, expected) => {
    expect(encrypt(text, key)).toBe(expected);
  });

  it("agrees with openssl on a key of control characters", () => {
    const control = String.fromCharCode(...Array.from({ length: 16 }, (_, index) => index));
    expect(encrypt("0011223344556677", control)).toBe("FN5YloSjhvqW65moyoSVB5VPZPLk6G6e7oLSAhZoSJk=");
  });

  it("pads a full block with another one", () => {
    expect(atob(encrypt("0123456789abcdef", key))).toHaveLength(32);
  });

  it("counts the bytes of Chinese text, not its characters", () => {
    expect(atob(encrypt("学位论文系", key))).toHaveLength(16);
    expect(atob(encrypt("学位论文系统", key))).toHaveLength(32);
  });

  it("leaves the text in clear when the server gives no key", () => {
    expect(encrypt("abc", null)).toBe("abc");
    expect(encrypt("abc", "")).toBe("abc");
  });

  it("refuses a key of the wrong length", () => {
    expect(() => encrypt("abc", "short")).toThrow(/16 bytes/);
  });
});
