export { AssistantAdmin } from "./assistant-admin.tsx";
export type { AssistantAdminProps } from "./assistant-admin.tsx";
