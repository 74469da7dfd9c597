export { createAssistant } from "./assistant.ts";
export type { Assistant, AssistantOptions } from "./assistant.ts";

export type { FileStorageOptions, S3StorageOptions } from "./attachment/file-storage.ts";

export { defineModule, readTool, writeTool } from "./core/define-tool.ts";
export { previewByRollback } from "./core/preview-by-rollback.ts";
export { refuse } from "./core/refuse.ts";
export type { Core } from "./core/core.ts";
export type { RequestContext, Session, Sessions } from "./core/session.ts";
export type {
  AnyTool,
  Json,
  JsonObject,
  Module,
  Preview,
  RateLimit,
  ReadTool,
  ToolContext,
  ToolRefusal,
  Via,
  WriteContext,
  WriteTool,
} from "./core/tool.ts";
export type { Change } from "./wire/cards.ts";

export type { ConfirmableRow, ConfirmedEvent, MayConfirm } from "./confirmation/confirmations.ts";

export { demoEndpoint } from "./model/demo-model.ts";
export { endpointFromEnvironment, modelsFromEnvironment } from "./model/endpoint-from-environment.ts";
export type { EnvironmentModels } from "./model/endpoint-from-environment.ts";
export type { ModelsOptions } from "./model/create-models.ts";
export type { Endpoint, Models, Provider, UsageRow, UsageSink } from "./model/model.ts";

export type { PromptOptions, PromptPart } from "./turn/system-prompt.ts";

export { settingsSchema } from "./settings/schema.ts";
export type { SettingKey, SettingValues } from "./settings/schema.ts";
export type { Settings } from "./settings/settings.ts";

export { startEmbedded } from "./database/embedded.ts";
export type { Embedded, EmbeddedOptions } from "./database/embedded.ts";
export { isStartError, startError } from "./database/start-error.ts";
export type { StartError } from "./database/start-error.ts";
export type { Bus } from "./database/bus.ts";
export type { DatabaseOptions } from "./database/connect.ts";
export type { Logger } from "./logger.ts";
