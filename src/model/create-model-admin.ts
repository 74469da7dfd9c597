import type { Database } from "../database/database.ts";
import { invariant, refused, type Outcome } from "../outcome.ts";
import type { AddressCheck } from "./address-check.ts";
import { readSpending } from "./admin.sql.ts";
import { mayUseVariable, wouldCarryKeyAway } from "./credential-variables.ts";
import type { Endpoints } from "./endpoints.ts";
import {
  deleteEndpoint,
  insertEndpoint,
  selectEndpoints,
  updateEndpoint,
  upsertEndpoint,
  type EndpointRow,
} from "./endpoints.sql.ts";
import { clearFlags, selectFlags, selectStanding } from "./flags.sql.ts";
import { selectJournal } from "./journal-pages.sql.ts";
import type { CredentialInput, EndpointView, ModelAdmin, SaveEndpointRefusal } from "./model-admin.ts";
import type { Endpoint } from "./model.ts";
import type { Seal } from "./seal.ts";
import { endpointInputSchema, toRow, withChanges } from "./stored-endpoint.ts";
import type { TriedEndpoint } from "./try-endpoint.ts";
import { selectUsage } from "./usage.sql.ts";

export interface ModelAdminWiring {
  readonly database: Database;
  readonly endpoints: Endpoints;
  readonly declared: readonly Endpoint[];
  readonly seal: Seal | null;
  readonly addresses: AddressCheck;
  readonly credentialVariables: readonly string[];
  readonly tryOut: (endpoint: Endpoint, userId: string) => Promise<TriedEndpoint>;
  /** What answers where a user has nothing of their own. */
  readonly chooseForSite: () => Promise<Endpoint | null>;
}

export function createModelAdmin(wiring: ModelAdminWiring): ModelAdmin {
  const { database, endpoints, declared, seal } = wiring;
  const isCode = (name: string): boolean => declared.some((endpoint) => endpoint.name === name);

  /** What an admin said, as a row without its key. */
  const check = (input: unknown): Outcome<{ readonly row: ReturnType<typeof toRow> }, SaveEndpointRefusal> => {
    const parsed = endpointInputSchema.safeParse(input);
    if (!parsed.success) return refused("invalid_endpoint");
    const row = toRow(parsed.data);
    if (row.provider === "openai-compatible" && row.baseUrl === null) return refused("invalid_endpoint");
    if (isCode(row.name)) return refused("name_in_code");
    if (row.baseUrl !== null && !isReachable(wiring.addresses, row.baseUrl)) return refused("address_refused");
    return { ok: true, row };
  };

  /** The key the row gets, if it may have it. */
  const keyFor = (
    row: ReturnType<typeof toRow>,
    credential: CredentialInput,
  ): Outcome<{ readonly key: Key }, "no_secret" | "variable_refused"> => {
    const key = toKey(credential, { seal, name: row.name });
    if (key === null) return refused("no_secret");
    const isAllowed = mayUseVariable({ ...row, credentialEnv: key.credentialEnv }, wiring.credentialVariables);
    return isAllowed ? { ok: true, key } : refused("variable_refused");
  };

  return {
    canStoreKeys: seal !== null,
    endpoints: async () => {
      const available = new Set((await endpoints.list()).map(({ name }) => name));
      const rows = await selectEndpoints(database);
      return [
        ...declared.map((endpoint) => viewOfCode(endpoint, available.has(endpoint.name))),
        ...rows.filter(({ name }) => !isCode(name)).map((row) => viewOfRow(row, available.has(row.name))),
      ];
    },
    tryEndpoint: async ({ name, userId }) => {
      const endpoint = (await endpoints.list()).find((one) => one.name === name);
      if (endpoint !== undefined) return wiring.tryOut(endpoint, userId);
      const isThere = isCode(name) || (await selectEndpoints(database)).some((row) => row.name === name);
      return refused(isThere ? "no_endpoint" : "not_found");
    },
    siteEndpoint: async () => {
      const chosen = await wiring.chooseForSite();
      if (chosen === null) return null;
      return { endpoint: chosen.name, name: chosen.model, demo: chosen.provider === "demo" };
    },
    saveEndpoint: async (input, credential) => {
      const checked = check(input);
      if (!checked.ok) return checked;
      const keyed = keyFor(checked.row, credential);
      if (!keyed.ok) return keyed;
      if (credential === "keep") {
        const before = (await selectEndpoints(database)).find(({ name }) => name === checked.row.name);
        if (before !== undefined && wouldCarryKeyAway(before, checked.row)) return refused("key_needed");
      }
      await upsertEndpoint(database, { ...checked.row, ...keyed.key });
      endpoints.changed();
      return { ok: true };
    },
    createEndpoint: async (input, credential) => {
      const checked = check(input);
      if (!checked.ok) return checked;
      const keyed = keyFor(checked.row, credential);
      if (!keyed.ok) return keyed;
      if (!(await insertEndpoint(database, { ...checked.row, ...keyed.key }))) return refused("name_taken");
      endpoints.changed();
      return { ok: true };
    },
    changeEndpoint: async ({ name, version, changes, credential = "keep" }) => {
      if (isCode(name)) return refused("name_in_code");
      const before = (await selectEndpoints(database)).find((row) => row.name === name);
      if (before === undefined) return refused("not_found");
      if (Number(before.version) !== version) return refused("changed_meanwhile");
      const checked = check(withChanges(before, changes));
      if (!checked.ok) return checked;
      if (credential === "keep" && wouldCarryKeyAway(before, checked.row)) return refused("key_needed");
      const keyed = keyFor(checked.row, credential);
      if (!keyed.ok) return keyed;
      const { credentialEnv, credentialSealed } = credential === "keep" ? before : keyed.key;
      const row = { ...checked.row, credentialEnv, credentialSealed, version: before.version };
      if (!(await updateEndpoint(database, row))) return refused("changed_meanwhile");
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
    usage: (range) => selectUsage(database, range),
    journal: (page) => selectJournal(database, page),
    flags: ({ before, standing = false }) => selectFlags(database, { before: before ?? null, standing }),
    standingFlags: (windowSeconds) => selectStanding(database, windowSeconds),
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
    tools: endpoint.tools !== false,
    price: endpoint.price ?? null,
    contextTokens: endpoint.contextTokens ?? null,
    maxOutputTokens: endpoint.maxOutputTokens ?? null,
    temperature: endpoint.temperature ?? null,
    reasoning: endpoint.reasoning ?? null,
    version: 0,
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
    tools: row.capabilities["tools"] !== false,
    price: row.price as EndpointView["price"],
    contextTokens: row.contextTokens,
    maxOutputTokens: shown.maxOutputTokens ?? null,
    temperature: shown.temperature ?? null,
    reasoning: shown.reasoning ?? null,
    version: Number(row.version),
  };
}
