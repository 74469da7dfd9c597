export { createClient } from "./client.ts";
export type { AssistantClient, ClientOptions } from "./client.ts";
export type {
  CardView,
  ChatList,
  ChatView,
  Click,
  ClickVerb,
  Connection,
  Draft,
  Failure,
  LiveTurn,
  SettingsView,
  Snapshot,
} from "./snapshot.ts";
