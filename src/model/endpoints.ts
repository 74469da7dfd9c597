import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { Database } from "../database/database.ts";
import { keepListening } from "../database/keep-listening.ts";
import type { Logger } from "../logger.ts";
import type { SettingValues } from "../settings/schema.ts";
import type { AddressCheck } from "./address-check.ts";
import { mayUseVariable } from "./credential-variables.ts";
import { selectEndpoints, type EndpointRow } from "./endpoints.sql.ts";
import { createGuardedFetch, type StreamLimits } from "./guarded-fetch.ts";
import { createHttpFetch } from "./http-fetch.ts";
import type { Endpoint } from "./model.ts";
import { openModel } from "./open-model.ts";
import type { Seal } from "./seal.ts";
import { fromRow } from "./stored-endpoint.ts";

/** An endpoint with the object that speaks to it. */
export interface OpenEndpoint {
  readonly endpoint: Endpoint;
  readonly model: LanguageModelV4;
}

type Choice = Pick<SettingValues, "endpoint" | "pictureEndpoint" | "offeredEndpoints" | "chosenEndpoint">;

/** Which endpoints there are (in code and made by an admin), which one answers, and the connections to them. */
export interface Endpoints {
  /** The endpoint that answers: the one for pictures, the user's choice among those offered, their own, else the site's. Null when there is none. */
  choose(values: Choice, options: { readonly pictures: boolean }): Promise<Endpoint | null>;
  open(endpoint: Endpoint): Promise<OpenEndpoint>;
  /** All that can be reached now, those in code first. */
  list(): Promise<readonly Endpoint[]>;
  /** An endpoint of the table changed: on this node at once, on others by a hint. */
  changed(): void;
  close(): Promise<void>;
}

export interface EndpointsWiring {
  readonly database: Database;
  readonly logger: Logger;
  readonly declared: readonly Endpoint[];
  readonly addresses: AddressCheck;
  readonly seal: Seal | null;
  readonly credentialVariables: readonly string[];
  readonly limits: StreamLimits;
  /** The site's own values, for when a personal endpoint cannot be had. */
  siteChoice(): Promise<Choice>;
  now(): number;
}

interface KnownRow {
  readonly version: string;
  readonly endpoint: Endpoint | null;
}

export const endpointsChannel = "endpoints";
/** What a lost hint costs at most. */
const rememberMs = 30_000;

export function createEndpoints(wiring: EndpointsWiring): Endpoints {
  const { database, logger, declared, seal, now } = wiring;
  const http = createHttpFetch(wiring.addresses);
  const opened = new WeakMap<Endpoint, Promise<OpenEndpoint>>();
  let known: { readonly until: number; readonly endpoints: Promise<readonly Endpoint[]> } | null = null;
  const forget = (): void => {
    known = null;
  };
  const stopListening = keepListening(database, endpointsChannel, {
    hear: forget,
    missed: forget,
    failed: () => logger.warn({}, "changes of endpoints are not listened to"),
  });

  // the same object as long as its row is the same: connections and what was learned of it hang on it
  let knownRows: ReadonlyMap<string, KnownRow> = new Map();
  const toKnown = (row: EndpointRow): KnownRow => {
    const before = knownRows.get(row.name);
    if (before?.version === row.version) return before;
    // A row may be older than the rule, or written by another hand.
    const isAllowed = mayUseVariable(row, wiring.credentialVariables);
    return { version: row.version, endpoint: isAllowed ? fromRow(row, seal) : null };
  };
  const read = async (): Promise<readonly Endpoint[]> => {
    const names = new Set(declared.map(({ name }) => name));
    const rows = await selectEndpoints(database);
    // a name in code is code's
    const fresh = rows.filter((row) => !names.has(row.name)).map((row) => [row.name, toKnown(row)] as const);
    knownRows = new Map(fresh);
    return fresh.flatMap(([, { endpoint }]) => endpoint ?? []);
  };
  const list = async (): Promise<readonly Endpoint[]> => {
    if (known === null || known.until <= now()) {
      const endpoints = read();
      known = { until: now() + rememberMs, endpoints };
      endpoints.catch(forget);
    }
    return [...declared, ...(await known.endpoints)].filter(hasItsKey);
  };
  const find = async (name: string): Promise<Endpoint | null> => {
    const here = await list();
    if (name !== "") return here.find((endpoint) => endpoint.name === name) ?? null;
    // the stand-in never answers where a real model could
    return here.find(({ provider }) => provider !== "demo") ?? here[0] ?? null;
  };
  return {
    choose: async (values, { pictures }) => {
      const offered = values.offeredEndpoints.split(",").map((name) => name.trim());
      const personal = [
        pictures ? values.pictureEndpoint : "",
        offered.includes(values.chosenEndpoint) ? values.chosenEndpoint : "",
        values.endpoint,
      ].filter((name) => name !== "");
      for (const name of personal) {
        const found = await find(name);
        if (found !== null) return found;
      }
      return find(values.endpoint === "" ? "" : (await wiring.siteChoice()).endpoint);
    },
    open: (endpoint) => {
      let open = opened.get(endpoint);
      if (open === undefined) {
        const protocol = endpoint.provider === "demo" ? "openai-compatible" : endpoint.provider;
        const fetch = createGuardedFetch(http, protocol, wiring.limits);
        open = openModel(endpoint, { key: keyOf(endpoint), fetch }).then((model) => ({ endpoint, model }));
        opened.set(endpoint, open);
        open.catch(() => opened.delete(endpoint));
      }
      return open;
    },
    list,
    changed: () => {
      forget();
      database.notify(endpointsChannel, "");
    },
    close: async () => {
      http.close();
      await stopListening();
    },
  };
}

function keyOf({ credential }: Endpoint): string | undefined {
  if (credential === undefined) return undefined;
  return "env" in credential ? process.env[credential.env] : credential.value;
}

function hasItsKey(endpoint: Endpoint): boolean {
  return endpoint.credential === undefined || Boolean(keyOf(endpoint));
}
