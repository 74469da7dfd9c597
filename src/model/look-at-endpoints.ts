// What an operator wants to know of the endpoints before users ask: whether their keys can be had and their servers be
// reached. Calls no model, and answers nothing of a key.
import net from "node:net";
import tls from "node:tls";
import type { Database } from "../database/database.ts";
import { createAddressCheck, type AddressCheck } from "./address-check.ts";
import type { ModelsOptions } from "./create-models.ts";
import { selectEndpoints, type EndpointRow } from "./endpoints.sql.ts";
import type { Endpoint, Provider } from "./model.ts";
import { createSeal, type Seal } from "./seal.ts";
import { StreamFault } from "./stream-fault.ts";

/** `missing`: the variable `env` is not set. `sealed`: it is stored, and cannot be opened under this secret. */
export type KeyLook = "none" | "there" | "sealed" | { readonly missing: string };

/** `own`: a stand-in or an object of the host's, which has no address. `refused`: a private address that was not allowed. */
export type ReachLook = "own" | "reached" | "refused" | { readonly failed: string };

export interface EndpointLook {
  readonly name: string;
  readonly from: "code" | "admin";
  readonly provider: string;
  readonly key: KeyLook;
  /** The host it is reached at; null where there is none. */
  readonly host: string | null;
  readonly reach: ReachLook;
}

export interface EndpointsLook {
  /** `short`: under 32 characters. */
  readonly secret: "none" | "short" | "there";
  /** Names of endpoints with a stored key, whether or not they are on. */
  readonly stored: readonly string[];
  /** Those of them whose key the secret does not open. */
  readonly unopened: readonly string[];
  /** Those that are on, those in code first. */
  readonly endpoints: readonly EndpointLook[];
}

const addressOf: Readonly<Record<Exclude<Provider, "demo" | "openai-compatible">, string>> = {
  openai: "https://api.openai.com",
  anthropic: "https://api.anthropic.com",
  google: "https://generativelanguage.googleapis.com",
};

/** Without a database, only what stands in code is looked at. */
export async function lookAtEndpoints(
  options: ModelsOptions,
  { database, withinMs }: { readonly database: Database | null; readonly withinMs: number },
): Promise<EndpointsLook> {
  const secret = options.secret ?? process.env["COUNTERSIGN_SECRET"];
  const seal = toSeal(secret);
  const addresses = createAddressCheck(options.allowPrivateEndpoints ?? []);
  const declared = options.endpoints ?? [];
  const rows = database === null ? [] : await selectEndpoints(database);
  const stored = rows.filter(({ credentialSealed }) => credentialSealed !== null);
  const isOpen = (row: EndpointRow): boolean =>
    row.credentialSealed === null || (seal?.open(row.credentialSealed, row.name) ?? null) !== null;
  const look = async (
    what: Pick<EndpointLook, "name" | "from" | "provider" | "key"> & { readonly url: string | null },
  ): Promise<EndpointLook> => {
    const { url, ...rest } = what;
    if (url === null) return { ...rest, host: null, reach: "own" };
    return { ...rest, host: URL.parse(url)?.host ?? url, reach: await reach(url, { addresses, withinMs }) };
  };
  const names = new Set(declared.map(({ name }) => name));
  return {
    secret: !secret ? "none" : seal === null ? "short" : "there",
    stored: stored.map(({ name }) => name),
    unopened: stored.filter((row) => !isOpen(row)).map(({ name }) => name),
    endpoints: await Promise.all([
      ...declared.map(({ name, provider, ...endpoint }) =>
        look({ name, provider, from: "code", key: keyOfCode(endpoint), url: urlOf({ provider, ...endpoint }) }),
      ),
      ...rows
        .filter(({ name, enabled }) => enabled && !names.has(name))
        .map((row) => {
          const { name, provider, baseUrl } = row;
          return look({
            name,
            provider,
            from: "admin",
            key: keyOfRow(row, isOpen(row)),
            url: urlOf({ provider, baseURL: baseUrl }),
          });
        }),
    ]),
  };
}

function toSeal(secret: string | undefined): Seal | null {
  try {
    return secret ? createSeal(secret) : null;
  } catch {
    return null;
  }
}

function urlOf(endpoint: {
  readonly provider: string;
  readonly baseURL?: string | null | undefined;
  readonly languageModel?: unknown;
}): string | null {
  if (endpoint.languageModel !== undefined || endpoint.provider === "demo") return null;
  return endpoint.baseURL ?? addressOf[endpoint.provider as keyof typeof addressOf] ?? null;
}

const ofEnvironment = (env: string): KeyLook => (process.env[env] ? "there" : { missing: env });

function keyOfCode({ credential }: Pick<Endpoint, "credential">): KeyLook {
  if (credential === undefined) return "none";
  return "env" in credential ? ofEnvironment(credential.env) : "there";
}

function keyOfRow({ credentialEnv, credentialSealed }: EndpointRow, opens: boolean): KeyLook {
  if (credentialEnv !== null) return ofEnvironment(credentialEnv);
  if (credentialSealed === null) return "none";
  return opens ? "there" : "sealed";
}

/** Connects, and over https shakes hands; the same addresses are refused as in a call. */
async function reach(
  text: string,
  { addresses, withinMs }: { readonly addresses: AddressCheck; readonly withinMs: number },
): Promise<ReachLook> {
  const url = URL.parse(text);
  if (url === null) return { failed: "the address is no URL" };
  const secure = url.protocol === "https:";
  try {
    addresses.checkUrl(url);
    const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
    const to = { host, port: Number(url.port || (secure ? 443 : 80)), lookup: addresses.lookupFor(url) };
    const named = net.isIP(host) === 0 ? { servername: host } : {};
    const socket = secure ? tls.connect({ ...to, ...named }) : net.connect(to);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    socket.once(secure ? "secureConnect" : "connect", resolve).once("error", reject);
    const timer = setTimeout(() => reject(Object.assign(new Error("late"), { code: "ETIMEDOUT" })), withinMs);
    await promise.finally(() => {
      clearTimeout(timer);
      socket.on("error", () => {}).destroy();
    });
    return "reached";
  } catch (error) {
    if (error instanceof StreamFault) return "refused";
    return { failed: error instanceof Error && "code" in error ? String(error.code) : "unknown" };
  }
}
