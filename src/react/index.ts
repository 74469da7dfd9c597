export { AssistantPanel } from "./assistant-panel.tsx";
export type { AssistantPanelProps } from "./assistant-panel.tsx";
export { useAssistant } from "./panel-context.ts";
export { useAssistantClient } from "./use-assistant-client.ts";
