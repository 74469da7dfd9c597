import { toModelsOptions } from "../assistant.ts";
import type { Database } from "../database/database.ts";
import { createModels } from "../model/create-models.ts";
import { lookAtEndpoints, type EndpointLook, type EndpointsLook } from "../model/look-at-endpoints.ts";
import { createSettings } from "../settings/create-settings.ts";
import { finding, ok, type Finding } from "./finding.ts";
import type { LookedAt } from "./read-options.ts";

const reachWithinMs = 5_000;
/** The name that calls made by `--call` have in the journal. */
export const doctorUser = "countersign doctor";

/** Looks at the secret and at each endpoint; `call` makes one tiny call of each that could answer. */
export async function checkModels(
  options: LookedAt,
  { database, call }: { readonly database: Database | null; readonly call: boolean },
): Promise<readonly Finding[]> {
  const models = toModelsOptions(options.models);
  const look = await lookAtEndpoints(models, { database, withinMs: reachWithinMs });
  const endpoints = look.endpoints.map(checkEndpoint);
  const ready = look.endpoints.filter((_, index) => endpoints[index]?.state === "ok");
  const findings = [checkSecret(look), ...endpoints, ...checkAnswering(look, ready)];
  if (!call) return findings;
  if (database === null || look.secret === "short") {
    const found = "not made: a call is journalled, and the schema and the secret have to be right for that";
    return [...findings, finding("warning", "calls", { found, mend: "Mend what is wrong above, and look again." })];
  }
  return [...findings, ...(await callEach(options, { database, names: ready.map(({ name }) => name) }))];
}

function checkSecret({ secret, stored, unopened }: EndpointsLook): Finding {
  const about = "secret";
  if (secret === "short") {
    const found = "COUNTERSIGN_SECRET has fewer than 32 characters: no node starts";
    return finding("wrong", about, { found, mend: "Set one of 32 characters or more." });
  }
  if (secret === "none" && stored.length > 0) {
    const found = `COUNTERSIGN_SECRET is not set, and the keys of ${stored.join(", ")} are sealed under one`;
    return finding("wrong", about, { found, mend: "Set the secret that these keys were stored under." });
  }
  if (unopened.length > 0) {
    const found = `the keys of ${unopened.join(", ")} were sealed under another COUNTERSIGN_SECRET`;
    const mend = "Set the secret they were stored under, or enter these keys again.";
    return finding("wrong", about, { found, mend });
  }
  if (secret === "none") return ok(about, "not set and not needed: administrators can store no keys");
  return ok(about, stored.length === 0 ? "set; no key is stored yet" : `opens all ${stored.length} stored keys`);
}

function checkEndpoint({ name, provider, key, host, reach }: EndpointLook): Finding {
  const about = `endpoint ${name}`;
  if (typeof key === "object") {
    const found = `${key.missing} is not set: it is not offered`;
    return finding("warning", about, { found, mend: `Set ${key.missing}, or take the endpoint away.` });
  }
  if (key === "sealed") {
    const found = "its key cannot be opened: it is not offered";
    return finding("wrong", about, { found, mend: "Set the secret it was stored under, or enter its key again." });
  }
  if (reach === "own") {
    if (provider !== "demo") return ok(about, "a model object of the options");
    return finding("warning", about, {
      found: "the demo model, which answers by fixed rules",
      mend: "Set OPENAI_API_KEY, ANTHROPIC_API_KEY, GOOGLE_GENERATIVE_AI_API_KEY or COUNTERSIGN_MODEL_URL for a real one.",
    });
  }
  if (reach === "refused") {
    const found = `${host} has a private address, which is not allowed: no call is made`;
    return finding("wrong", about, { found, mend: `List "${host}" in allowPrivateEndpoints if it is meant.` });
  }
  if (reach !== "reached") {
    const found = `${host} cannot be reached (${reach.failed})`;
    return finding("wrong", about, { found, mend: "Correct its address, or let this machine reach it." });
  }
  return ok(about, `${host} is reached${key === "there" ? ", its key is there" : ", without a key"}`);
}

function checkAnswering(look: EndpointsLook, ready: readonly EndpointLook[]): readonly Finding[] {
  if (ready.length > 0 || look.endpoints.some(({ provider }) => provider === "demo")) return [];
  const found = "no endpoint can answer: every turn is refused";
  return [finding("wrong", "models", { found, mend: "Mend one of the endpoints, or name another." })];
}

async function callEach(
  options: LookedAt,
  { database, names }: { readonly database: Database; readonly names: readonly string[] },
): Promise<readonly Finding[]> {
  const settings = createSettings({ database, values: options.settings ?? {} });
  const models = createModels({ ...toModelsOptions(options.models), database, settings, node: "doctor" });
  try {
    const findings: Finding[] = [];
    for (const name of names) {
      const about = `call ${name}`;
      const answer = await models.admin.tryEndpoint({ name, userId: doctorUser });
      if (answer.ok) findings.push(ok(about, `${answer.model} answered in ${answer.latencyMs} ms`));
      else {
        const mend = callMends[answer.reason] ?? "Look at the call's row in the journal.";
        findings.push(finding("wrong", about, { found: `no answer (${answer.reason})`, mend }));
      }
    }
    return findings;
  } finally {
    await models.close();
    await settings.close();
  }
}

const callMends: Readonly<Record<string, string>> = {
  auth_failed: "Correct its key.",
  model_not_found: "Correct the model's name.",
  ai_off: "Switch model calls on again in the site's settings.",
  budget_total: "Raise the site's budget, or wait for its next period.",
  no_price: "Give the endpoint a price, or take the budget away.",
  rate_limited: "Ask its provider for a higher limit.",
};
