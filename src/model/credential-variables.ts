import type { EndpointRow } from "./endpoints.sql.ts";

type Keyed = Pick<EndpointRow, "provider" | "baseUrl" | "credentialEnv" | "credentialSealed">;

/** The variable of each provider's key, by the names that the providers' own tools use. */
const ownVariables: ReadonlyMap<string, string> = new Map([
  ["openai", "OPENAI_API_KEY"],
  ["anthropic", "ANTHROPIC_API_KEY"],
  ["google", "GOOGLE_GENERATIVE_AI_API_KEY"],
]);

/**
 * Whether an endpoint that an admin made may take its key from this variable. Whoever chooses both a variable and an
 * address can read the variable: so a provider's own goes to that provider alone, and no other is taken but those that
 * the developer named.
 */
export function mayUseVariable(
  { provider, baseUrl, credentialEnv }: Omit<Keyed, "credentialSealed">,
  named: readonly string[],
): boolean {
  if (credentialEnv === null || named.includes(credentialEnv)) return true;
  return baseUrl === null && ownVariables.get(provider) === credentialEnv;
}

/** Whether a key that stays would go somewhere else than where it was given for. */
export function wouldCarryKeyAway(before: Keyed, after: Pick<EndpointRow, "provider" | "baseUrl">): boolean {
  if (before.credentialEnv === null && before.credentialSealed === null) return false;
  return before.provider !== after.provider || originOf(before.baseUrl) !== originOf(after.baseUrl);
}

function originOf(baseUrl: string | null): string | null {
  return baseUrl === null ? null : (URL.parse(baseUrl)?.origin ?? baseUrl);
}
