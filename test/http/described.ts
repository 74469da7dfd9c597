import type { Answered, Served } from "./served.ts";

/** The codes that the description of the API gives each route, and a check of an answer against them. */
export interface Described {
  /** Throws when an answer is a refusal that its route's description does not name, or no problem document at all. */
  check(asked: { readonly method: string; readonly path: string }, answer: Answered): void;
}

interface Document {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { readonly responses: Readonly<Record<string, unknown>> }>>>
  >;
}

/** No route answers these: they are said before one is found. */
const before = new Set(["unknown_route", "method_not_allowed"]);

/** Reads the description; null where no session can read it. */
export async function readDescribed(ask: Served["ask"], ref: string): Promise<Described | null> {
  const { status: found, body: read } = await ask("GET", "/openapi.json", { as: ref });
  if (found !== 200) return null;
  const document = read as unknown as Document;
  const routes = Object.entries(document.paths).map(([path, methods]) => ({
    pattern: new RegExp(`^${path.replaceAll(".", "\\.").replaceAll(/\{\w+\}/g, "[^/]+")}$`),
    methods,
  }));
  return {
    check({ method, path }, { status, headers, body }) {
      if (status < 400) return;
      const code = String(body["code"]);
      const type = headers.get("content-type");
      if (type !== "application/problem+json") throw new Error(`${method} ${path}: ${status} is a ${type}`);
      if (before.has(code)) return;
      const at = path.replace(/\?.*$/, "");
      const route = routes.find(({ pattern, methods }) => pattern.test(at) && method.toLowerCase() in methods);
      const described = JSON.stringify(route?.methods[method.toLowerCase()]?.responses[String(status)] ?? null);
      if (!described.includes(`"${code}"`)) throw new Error(`${method} ${path}: ${status} ${code} is not described`);
    },
  };
}
