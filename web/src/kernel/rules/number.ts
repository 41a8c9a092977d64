/** a / b floored to two decimals; null when b is zero. */
export function divide(a: number, b: number): number | null {
  if (b === 0) return null;
  if (!Number.isFinite(a) || !Number.isFinite(b)) return a / b;
  // As decimal fractions, the way they were written: in binary 4.35 * 100 is below 435.
  const over = decimal(a);
  const under = decimal(b);
  const scale = Math.max(over.places, under.places);
  const hundredfold = over.digits * 10n ** BigInt(scale - over.places) * 100n;
  return Number(floorDiv(hundredfold, under.digits * 10n ** BigInt(scale - under.places))) / 100;
}

/** The number as digits / 10^places. */
function decimal(value: number): { digits: bigint; places: number } {
  const [mantissa = "0", exponent = "0"] = String(value).split("e");
  const [whole = "0", fraction = ""] = mantissa.split(".");
  const places = fraction.length - Number(exponent);
  const digits = BigInt(whole + fraction);
  return places < 0 ? { digits: digits * 10n ** BigInt(-places), places: 0 } : { digits, places };
}

function floorDiv(a: bigint, b: bigint): bigint {
  const quotient = a / b;
  return a % b !== 0n && a < 0n !== b < 0n ? quotient - 1n : quotient;
}
