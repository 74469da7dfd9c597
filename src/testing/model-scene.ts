import { randomUUID } from "node:crypto";
import type { Database } from "../database/database.ts";
import { silentLogger, type Logger } from "../logger.ts";
import { createModels, type ModelsWiring } from "../model/create-models.ts";
import type { CompleteAnswer, CompleteRequest, Endpoint, Models } from "../model/model.ts";
import { createSettings } from "../settings/create-settings.ts";
import type { SettingValues } from "../settings/schema.ts";
import type { Settings } from "../settings/settings.ts";
import { heard } from "./log-watch.ts";
import { scriptedModel, type ScriptedModel, type ScriptedStep } from "./scripted-model.ts";

/** The model room of one node, and a way to ask it. */
export interface ModelScene {
  readonly models: Models;
  readonly settings: Settings;
  /** One call with an admission of its own; the guard's refusal of that is the answer too. */
  ask(request?: Partial<CompleteRequest>): Promise<CompleteAnswer>;
  close(): Promise<void>;
}

export interface ModelSceneOptions extends Partial<Omit<ModelsWiring, "settings">> {
  readonly database: Database;
  readonly values?: Partial<SettingValues>;
  readonly logger?: Logger;
}

/** `userId` of a call is `mia` unless the request says otherwise. Waits between attempts are next to nothing. */
export function createModelScene(options: ModelSceneOptions): ModelScene {
  const { database, values = {}, logger: given = silentLogger, ...wiring } = options;
  const logger = heard(given);
  const settings = createSettings({ database, values });
  const models = createModels({ backoffMs: 1, ...wiring, database, settings, logger });
  const ask = async (request: Partial<CompleteRequest> = {}): Promise<CompleteAnswer> => {
    const userId = request.userId ?? "mia";
    const admitted = request.admission === undefined ? await models.admit(userId, "agent.chat") : null;
    if (admitted !== null && !admitted.ok) {
      const { reason } = admitted;
      return { ok: false, reason, status: null, requestId: null, usage: null, shown: false, retryAfter: null };
    }
    return models.complete({
      userId,
      admission: admitted?.admission ?? { id: "none", userId, task: "agent.chat" },
      source: "agent",
      task: "agent.chat",
      prompt: { system: "You help.", messages: [{ role: "user", text: "Which invoices are overdue?" }] },
      tools: [],
      attribution: { messageId: randomUUID(), turnId: randomUUID() },
      mayCapture: true,
      onText: () => {},
      signal: new AbortController().signal,
      stopRequested: () => false,
      deadline: Date.now() + 60_000,
      ...request,
    });
  };
  return {
    models,
    settings,
    ask,
    close: async () => {
      await models.close();
      await settings.close();
    },
  };
}

export interface ScriptedScene extends ModelScene {
  readonly model: ScriptedModel;
}

/** A scene whose one endpoint is a scripted model at 3 and 15 dollars per million tokens. */
export function createScriptedScene(
  steps: readonly ScriptedStep[],
  options: ModelSceneOptions & { readonly endpoint?: Partial<Endpoint> },
): ScriptedScene {
  const { endpoint, ...wiring } = options;
  const model = scriptedModel(steps);
  const price = { input: 3, output: 15 };
  const endpoints: Endpoint[] = [
    { name: "first", provider: "openai", model: "big", price, ...endpoint, languageModel: model },
  ];
  return { ...createModelScene({ endpoints, ...wiring }), model };
}
