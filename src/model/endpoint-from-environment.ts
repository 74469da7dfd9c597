import { demoEndpoint } from "./demo-model.ts";
import type { Endpoint, Provider } from "./model.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** What the environment says of models, as `createAssistant({ models })` takes it. */
export interface EnvironmentModels {
  readonly endpoints: readonly Endpoint[];
  /** The host of COUNTERSIGN_MODEL_URL: who sets a server's environment decides what it may reach. */
  readonly allowPrivateEndpoints: readonly string[];
  /** Those that COUNTERSIGN_CREDENTIAL_VARIABLES names, with commas between. */
  readonly credentialVariables: readonly string[];
}

interface Known {
  readonly env: string;
  readonly provider: Provider;
  readonly model: string;
  readonly price: NonNullable<Endpoint["price"]>;
  readonly contextTokens: number;
  readonly maxOutputTokens: number;
  readonly reasoning?: Endpoint["reasoning"];
}

/** Room for a model that thinks before it answers. */
const roomForThinking = 8_192;

/**
 * In this order the first key that is set wins. Models and prices as of 2026-12-01, from
 * developers.openai.com/api/docs/models/gpt-6.1-terra (dearer for prompts above 272,000 tokens, which the default
 * `historyChars` never makes), platform.claude.com/docs/en/models/sonnet-5-5/overview, and from copies that others made
 * of ai.google.dev/gemini-api/docs/pricing (half of it until the end of 2026: the full price is set, so that a budget
 * holds after that too).
 */
const known: readonly Known[] = [
  {
    env: "OPENAI_API_KEY",
    provider: "openai",
    model: "gpt-6.1-terra",
    price: { input: 1, cachedInput: 0.05, output: 5 },
    contextTokens: 1_050_000,
    maxOutputTokens: 16_000,
    reasoning: "low",
  },
  {
    env: "ANTHROPIC_API_KEY",
    provider: "anthropic",
    model: "claude-sonnet-5-5",
    price: { input: 2, cachedInput: 0.2, output: 10 },
    contextTokens: 1_000_000,
    maxOutputTokens: 16_000,
    reasoning: "low",
  },
  {
    env: "GOOGLE_GENERATIVE_AI_API_KEY",
    provider: "google",
    model: "gemini-3.8-flash",
    price: { input: 1.5, cachedInput: 0.15, output: 7.5 },
    contextTokens: 1_048_576,
    maxOutputTokens: 16_000,
  },
];

/**
 * The endpoint the environment names, or null: COUNTERSIGN_MODEL_URL (with _KEY and _NAME, and _IMAGES=1 for a model that sees pictures) first, then OPENAI_API_KEY,
 * ANTHROPIC_API_KEY, GOOGLE_GENERATIVE_AI_API_KEY. COUNTERSIGN_MODEL takes the place of the default model; it has no
 * price, so that budgets ask for one.
 */
export function endpointFromEnvironment(env: Environment = process.env): Endpoint | null {
  const url = env["COUNTERSIGN_MODEL_URL"];
  if (url) {
    return {
      name: "default",
      provider: "openai-compatible",
      baseURL: url,
      maxOutputTokens: roomForThinking,
      model: env["COUNTERSIGN_MODEL_NAME"] || env["COUNTERSIGN_MODEL"] || "default",
      // Nobody knows it of a server that may serve any model.
      ...(env["COUNTERSIGN_MODEL_IMAGES"] === "1" && { images: true }),
      ...(env["COUNTERSIGN_MODEL_KEY"] && { credential: { env: "COUNTERSIGN_MODEL_KEY" } }),
    };
  }
  const found = known.find((one) => env[one.env]);
  if (found === undefined) return null;
  const named = env["COUNTERSIGN_MODEL"];
  return {
    name: "default",
    provider: found.provider,
    model: named || found.model,
    credential: { env: found.env },
    images: true,
    tools: true,
    ...(named ? { maxOutputTokens: roomForThinking } : settingsOf(found)),
  };
}

function settingsOf({ price, contextTokens, maxOutputTokens, reasoning }: Known): Partial<Endpoint> {
  return { price, contextTokens, maxOutputTokens, reasoning };
}

/** The models the environment names; with none named, the demo model alone. */
export function modelsFromEnvironment(env: Environment = process.env): EnvironmentModels {
  const endpoint = endpointFromEnvironment(env);
  const named = (env["COUNTERSIGN_CREDENTIAL_VARIABLES"] ?? "").split(",").map((name) => name.trim());
  const credentialVariables = named.filter((name) => name !== "");
  if (endpoint === null) return { endpoints: [demoEndpoint], allowPrivateEndpoints: [], credentialVariables };
  const host = endpoint.baseURL === undefined ? null : URL.parse(endpoint.baseURL)?.host;
  return { endpoints: [endpoint], allowPrivateEndpoints: host ? [host] : [], credentialVariables };
}
