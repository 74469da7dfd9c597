/**
 * Whether a JSON number keeps its value when it is read: `10.50`, `1e2` and `100` do, `12345678901234567890`, `1e400`
 * and `0.1` with thirty digits do not. `-0` does not either: it prints back as `0`, and divides otherwise.
 */
export function isExactNumber(text: string): boolean {
  const value = Number(text);
  if (!Number.isFinite(value) || Object.is(value, -0)) return false;
  const written = toDecimal(text);
  const printed = toDecimal(String(value));
  return (
    written.digits === printed.digits && written.exponent === printed.exponent && text.startsWith("-") === value < 0
  );
}

interface Decimal {
  readonly digits: string;
  readonly exponent: number;
}

/** The digits without zeros at either end, and the power of ten of the last of them; zero has no digits. */
function toDecimal(text: string): Decimal {
  const [mantissa = "", power = "0"] = text.toLowerCase().replace("-", "").split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  const all = (whole + fraction).replace(/^0+/, "");
  const digits = all.replace(/0+$/, "");
  if (digits === "") return { digits, exponent: 0 };
  return { digits, exponent: Number(power) - fraction.length + all.length - digits.length };
}
