import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { Endpoint } from "./model.ts";
import { openModel } from "./open-model.ts";

/** An endpoint with the object that speaks to it. */
export interface OpenEndpoint {
  readonly endpoint: Endpoint;
  readonly model: LanguageModelV4;
}

export interface Endpoints {
  /** The endpoint that answers a user now; null when there is none. */
  forUser(userId: string): Promise<Endpoint | null>;
  open(endpoint: Endpoint): Promise<OpenEndpoint>;
}

export function createEndpoints(declared: readonly Endpoint[]): Endpoints {
  const opened = new Map<Endpoint, Promise<OpenEndpoint>>();
  return {
    forUser: async () => declared[0] ?? null,
    open: (endpoint) => {
      let open = opened.get(endpoint);
      if (open === undefined) {
        open = openModel(endpoint, { key: keyOf(endpoint), fetch }).then((model) => ({ endpoint, model }));
        opened.set(endpoint, open);
      }
      return open;
    },
  };
}

function keyOf({ credential }: Endpoint): string | undefined {
  if (credential === undefined) return undefined;
  return "env" in credential ? process.env[credential.env] : credential.value;
}
