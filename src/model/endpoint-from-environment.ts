import { demoEndpoint } from "./demo-model.ts";
import type { Endpoint, Provider } from "./model.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** What the environment says of models, as `createAssistant({ models })` takes it. */
export interface EnvironmentModels {
  readonly endpoints: readonly Endpoint[];
  /** The host of COUNTERSIGN_MODEL_URL: who sets a server's environment decides what it may reach. */
  readonly allowPrivateEndpoints: readonly string[];
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

/** In this order the first key that is set wins; the prices are those of the default models. */
const known: readonly Known[] = [
  {
    env: "OPENAI_API_KEY",
    provider: "openai",
    model: "gpt-5-mini",
    price: { input: 0.25, cachedInput: 0.025, output: 2 },
    contextTokens: 400_000,
    maxOutputTokens: 16_000,
    reasoning: "low",
  },
  {
    env: "ANTHROPIC_API_KEY",
    provider: "anthropic",
    model: "claude-haiku-4-5",
    price: { input: 1, cachedInput: 0.1, output: 5 },
    contextTokens: 200_000,
    maxOutputTokens: 8_000,
  },
  {
    env: "GOOGLE_GENERATIVE_AI_API_KEY",
    provider: "google",
    model: "gemini-2.5-flash",
    price: { input: 0.3, cachedInput: 0.03, output: 2.5 },
    contextTokens: 1_000_000,
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
  if (endpoint === null) return { endpoints: [demoEndpoint], allowPrivateEndpoints: [] };
  const host = endpoint.baseURL === undefined ? null : URL.parse(endpoint.baseURL)?.host;
  return { endpoints: [endpoint], allowPrivateEndpoints: host ? [host] : [] };
}
