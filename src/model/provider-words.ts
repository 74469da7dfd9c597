const toldFields = new Set(["message", "msg", "type", "code", "status", "reason", "param", "detail", "raw"]);
const longest = 300;

/**
 * What the log may say of a provider's own words: its messages and codes, cut, without HTML, without keys, and without
 * the parts of a request some servers send back.
 */
export function toLogWords(pieces: readonly string[]): string {
  const told = pieces.flatMap((piece) => {
    const parsed = parse(piece);
    return parsed === undefined ? [withoutContent(piece)] : collect(parsed, 0);
  });
  return scrub([...new Set(told)].join("; ").replace(/\s+/g, " ").trim()).slice(0, longest);
}

/** Plain words; the provider's package puts what it could not read behind `Value:` or `Text:`. */
function withoutContent(piece: string): string {
  return piece
    .replace(/\b(?:Value|Text): [\s\S]*$/, "")
    .replace(/<(script|style)[\s\S]*?<\/\1>|<[^>]*>/gi, " ")
    .slice(0, longest);
}

function collect(value: unknown, depth: number): readonly string[] {
  if (typeof value !== "object" || value === null || depth > 5) return [];
  if (Array.isArray(value)) return value.flatMap((one) => collect(one, depth + 1));
  return Object.entries(value).flatMap(([key, one]) => {
    if (typeof one === "object") return key === "input" ? [] : collect(one, depth + 1);
    return toldFields.has(key) ? [String(one)] : [];
  });
}

/** Takes out what looks like a key: known beginnings, bearer tokens, and any long run of mixed letters and digits. */
function scrub(text: string): string {
  return text
    .replace(/\b(?:sk|pk|rk|gsk|xai|key|AIza|hf|r8)[-_]?[\w*-]{8,}/gi, "[key]")
    .replace(/bearer\s+\S+/gi, "[key]")
    .replace(/\b(?=\w*\d)(?=\w*[a-z])[\w-]{32,}\b/gi, "[key]");
}

function parse(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" ? value : undefined;
  } catch {
    return undefined;
  }
}
