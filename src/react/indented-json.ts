/** Sets JSON text out over lines. Every token stays as it is, to the letter; only the space between tokens changes. Text that was cut off is set out as far as it goes. */
export function toIndentedJson(text: string): string {
  let depth = 0;
  let out = "";
  const line = (): string => `\n${"  ".repeat(Math.max(0, depth))}`;
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"?|[{}[\],:]|[^\s"{}[\],:]+/gsu)) {
    if (token === "}" || token === "]") {
      depth -= 1;
      out = /[{[]$/.test(out.trimEnd()) ? out.trimEnd() + token : out + line() + token;
    } else if (token === "{" || token === "[") {
      depth += 1;
      out += token + line();
    } else if (token === ",") out += token + line();
    else if (token === ":") out += ": ";
    else out += token;
  }
  return out;
}
