export { scriptedModel } from "./scripted-model.ts";
export type { ScriptedAnswer, ScriptedCall, ScriptedModel, ScriptedRequest, ScriptedStep } from "./scripted-model.ts";
export { createTestDatabase } from "./test-database.ts";
export type { TestDatabase } from "./test-database.ts";
