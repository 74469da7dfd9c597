import type { Database } from "../database/database.ts";
import { invariant, refused } from "../outcome.ts";
import type { AddressCheck } from "./address-check.ts";
import { readSpending, selectJournal } from "./admin.sql.ts";
import type { Endpoints } from "./endpoints.ts";
import { deleteEndpoint, selectEndpoints, upsertEndpoint, type EndpointRow } from "./endpoints.sql.ts";
import { clearFlags } from "./flags.sql.ts";
import type { CredentialInput, EndpointView, ModelAdmin } from "./model-admin.ts";
import type { Endpoint } from "./model.ts";
import type { Seal } from "./seal.ts";
import { endpointInputSchema, toRow } from "./stored-endpoint.ts";

export interface ModelAdminWiring {
  readonly database: Database;
  readonly endpoints: Endpoints;
  readonly declared: readonly Endpoint[];
  readonly seal: Seal | null;
  readonly addresses: AddressCheck;
}

export function createModelAdmin(wiring: ModelAdminWiring): ModelAdmin {
  const { database, endpoints, declared, seal } = wiring;
  return {
    endpoints: async () => {
      const available = new Set((await endpoints.list()).map(({ name }) => name));
      const rows = await selectEndpoints(database);
      const inCode = new Set(declared.map(({ name }) => name));
      return [
        ...declared.map((endpoint) => viewOfCode(endpoint, available.has(endpoint.name))),
        ...rows.filter(({ name }) => !inCode.has(name)).map((row) => viewOfRow(row, available.has(row.name))),
      ];
    },
    saveEndpoint: async (input, credential) => {
      const parsed = endpointInputSchema.safeParse(input);
      if (!parsed.success) return refused("invalid_endpoint");
      const row = toRow(parsed.data);
      if (row.provider === "openai-compatible" && row.baseUrl === null) return refused("invalid_endpoint");
      if (declared.some(({ name }) => name === row.name)) return refused("name_in_code");
      if (row.baseUrl !== null && !isReachable(wiring.addresses, row.baseUrl)) return refused("address_refused");
      const key = toKey(credential, { seal, name: row.name });
      if (key === null) return refused("no_secret");
      await upsertEndpoint(database, { ...row, ...key });
      endpoints.changed();
      return { ok: true };
    },
    removeEndpoint: async (name) => {
      if (!(await deleteEndpoint(database, name))) return refused("not_found");
      endpoints.changed();
      return { ok: true };
    },
    spending: (userId) => {
      invariant(userId !== "", "a user has an id");
      return readSpending(database, userId ?? null);
    },
    journal: ({ before, userId }) => selectJournal(database, { before: before ?? null, userId: userId ?? null }),
    clearFlags: (userId) => clearFlags(database, userId),
  };
}

/** By the text alone; what a name resolves to is judged at every connection. */
function isReachable(addresses: AddressCheck, baseURL: string): boolean {
  try {
    addresses.checkUrl(new URL(baseURL));
    return true;
  } catch {
    return false;
  }
}

type Key = Pick<EndpointRow, "credentialEnv" | "credentialSealed"> & { readonly keepCredential: boolean };

function toKey(
  credential: CredentialInput,
  { seal, name }: { readonly seal: Seal | null; readonly name: string },
): Key | null {
  const none = { credentialEnv: null, credentialSealed: null, keepCredential: false };
  if (credential === "none") return none;
  if (credential === "keep") return { ...none, keepCredential: true };
  if ("env" in credential) return { ...none, credentialEnv: credential.env };
  return seal === null ? null : { ...none, credentialSealed: seal.seal(credential.value, name) };
}

function viewOfCode(endpoint: Endpoint, available: boolean): EndpointView {
  const { credential } = endpoint;
  return {
    name: endpoint.name,
    provider: endpoint.provider,
    baseURL: endpoint.baseURL ?? null,
    model: endpoint.model,
    from: "code",
    credential: credential === undefined ? "none" : "env" in credential ? { env: credential.env } : "stored",
    available,
    enabled: true,
    images: endpoint.images === true,
    price: endpoint.price ?? null,
    contextTokens: endpoint.contextTokens ?? null,
    maxOutputTokens: endpoint.maxOutputTokens ?? null,
    temperature: endpoint.temperature ?? null,
    reasoning: endpoint.reasoning ?? null,
  };
}

function viewOfRow(row: EndpointRow, available: boolean): EndpointView {
  const { credentialEnv, credentialSealed, defaults } = row;
  const shown = defaults as { maxOutputTokens?: number; temperature?: number; reasoning?: string };
  return {
    name: row.name,
    provider: row.provider as Endpoint["provider"],
    baseURL: row.baseUrl,
    model: row.model,
    from: "admin",
    credential: credentialEnv !== null ? { env: credentialEnv } : credentialSealed === null ? "none" : "stored",
    available,
    enabled: row.enabled,
    images: row.capabilities["images"] === true,
    price: row.price as EndpointView["price"],
    contextTokens: row.contextTokens,
    maxOutputTokens: shown.maxOutputTokens ?? null,
    temperature: shown.temperature ?? null,
    reasoning: shown.reasoning ?? null,
  };
}
