import type { Endpoint } from "countersign";

const limitMs = 5_000;

/** Asks the provider whether it takes the key; answers one sentence when it does not, null when it does or cannot be asked. */
export async function checkKey(
  endpoint: Endpoint,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<string | null> {
  const { credential, provider } = endpoint;
  const variable = credential !== undefined && "env" in credential ? credential.env : null;
  const key = variable === null ? undefined : environment[variable];
  const asked = toRequest(endpoint, key ?? "");
  if (asked === null) return null;
  const unset = `unset ${provider === "openai-compatible" ? "COUNTERSIGN_MODEL_URL" : variable}`;
  try {
    const answer = await fetch(asked.url, { headers: asked.headers, signal: AbortSignal.timeout(limitMs) });
    const body = answer.status === 400 ? await answer.text() : "";
    if (![401, 403].includes(answer.status) && !body.includes("API_KEY_INVALID")) return null;
    return `${provider} refuses the key of ${variable ?? "COUNTERSIGN_MODEL_KEY"} (${answer.status}): correct it, or ${unset} to talk to the demo model.`;
  } catch {
    return `${new URL(asked.url).host} does not answer: check the network or the address, or ${unset} to talk to the demo model.`;
  }
}

function toRequest(
  endpoint: Endpoint,
  key: string,
): { readonly url: string; readonly headers: Record<string, string> } | null {
  switch (endpoint.provider) {
    case "openai":
      return { url: "https://api.openai.com/v1/models", headers: { authorization: `Bearer ${key}` } };
    case "anthropic":
      return {
        url: "https://api.anthropic.com/v1/models",
        headers: { "x-api-key": key, "anthropic-version": "2023-06-01" },
      };
    case "google":
      return { url: "https://generativelanguage.googleapis.com/v1beta/models", headers: { "x-goog-api-key": key } };
    case "openai-compatible":
      return {
        url: `${(endpoint.baseURL ?? "").replace(/\/+$/, "")}/models`,
        headers: key === "" ? {} : { authorization: `Bearer ${key}` },
      };
    case "demo":
      return null;
  }
}
