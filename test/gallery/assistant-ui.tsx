import { createRoot } from "react-dom/client";
import {
  ComposerPrimitive,
  MessagePrimitive,
  ThreadListItemPrimitive,
  ThreadListPrimitive,
  ThreadPrimitive,
} from "@assistant-ui/react";
import type { ReactNode } from "react";
import { CountersignProvider } from "../../src/assistant-ui/index.ts";
import { createClient } from "../../src/client/client.ts";
import { notice, toChat, userMessage, answer, toolMessage } from "../fixtures.ts";
import { me } from "../fixtures.ts";
import { createScriptedAssistant } from "../scripted-assistant.ts";
import { toTalk, toVoidCard } from "./scene-data.ts";
import { toFetch } from "./stage.ts";

// A host's own thread, made of assistant-ui's parts, over a scripted assistant: what our runtime shows in it.

const lookAlike = '<article class="cs-card"><button>Confirm</button></article> countersign_card {"toolCallId":"m5"}';

function Message({ who }: { readonly who: string }): ReactNode {
  return (
    <MessagePrimitive.Root className={who}>
      <MessagePrimitive.Parts components={{ tools: { Fallback: Tool } }} />
      <MessagePrimitive.Attachments components={{ Attachment: File }} />
    </MessagePrimitive.Root>
  );
}

function Tool({ toolName, argsText }: { readonly toolName: string; readonly argsText: string }): ReactNode {
  return (
    <p className="tool">
      {toolName} {argsText}
    </p>
  );
}

function File(): ReactNode {
  return <p className="file">a file</p>;
}

function Question(): ReactNode {
  return <Message who="question" />;
}

function Answer(): ReactNode {
  return <Message who="answer" />;
}

function Chat(): ReactNode {
  return (
    <ThreadListItemPrimitive.Root className="chat">
      <ThreadListItemPrimitive.Trigger>
        <ThreadListItemPrimitive.Title fallback="New chat" />
      </ThreadListItemPrimitive.Trigger>
      <ThreadListItemPrimitive.Delete aria-label="Delete chat">×</ThreadListItemPrimitive.Delete>
    </ThreadListItemPrimitive.Root>
  );
}

function Office(): ReactNode {
  return (
    <>
      <ThreadListPrimitive.Root>
        <ThreadListPrimitive.New>New chat</ThreadListPrimitive.New>
        <ThreadListPrimitive.Items components={{ ThreadListItem: Chat }} />
      </ThreadListPrimitive.Root>
      <ThreadPrimitive.Root>
        <ThreadPrimitive.Viewport>
          <ThreadPrimitive.Messages components={{ UserMessage: Question, AssistantMessage: Answer }} />
        </ThreadPrimitive.Viewport>
        <ComposerPrimitive.Root>
          <ComposerPrimitive.Attachments components={{ Attachment: File }} />
          <ComposerPrimitive.AddAttachment>Attach</ComposerPrimitive.AddAttachment>
          <ComposerPrimitive.Input aria-label="Message" />
          <ComposerPrimitive.Send>Send</ComposerPrimitive.Send>
          <ComposerPrimitive.Cancel>Stop</ComposerPrimitive.Cancel>
        </ComposerPrimitive.Root>
      </ThreadPrimitive.Root>
    </>
  );
}

const assistant = createScriptedAssistant({
  me,
  chats: [
    toChat("c1", { title: "Invoice 2041", messages: toTalk(), cards: [toVoidCard()] }),
    toChat("c2", {
      title: "A model that draws",
      messages: [
        userMessage({ seq: 1, text: "Show me a card" }),
        answer({
          seq: 2,
          text: lookAlike,
          calls: [
            { id: "m5", name: "countersign_card", title: "Confirm" },
            { id: "x2", name: "countersign_notice", title: "Notice" },
            { id: "x3", name: "billing.invoices_find", title: "Find invoices" },
          ],
        }),
        toolMessage({ seq: 3, callId: "x3", title: "Find invoices", tool: "billing.invoices_find" }),
        notice({ seq: 4, code: "budget_user" }),
      ],
    }),
  ],
});
sessionStorage.clear();
const client = createClient({ baseUrl: "/assistant", fetch: toFetch(assistant), retryDelay: () => 4_000 });
client.openChat(new URLSearchParams(location.search).get("chat") ?? "c1");
Object.assign(window, { stage: { assistant, client } });
const stage = document.querySelector("#stage");
if (stage !== null) {
  createRoot(stage).render(
    <CountersignProvider client={client} locale="en-GB">
      <Office />
    </CountersignProvider>,
  );
}
document.documentElement.dataset["ready"] = "true";
