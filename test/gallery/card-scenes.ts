import type { Card, CardPreview } from "../../src/wire/cards.ts";
import type { Message } from "../../src/wire/messages.ts";
import { cardMessage, userMessage } from "../fixtures.ts";
import { problem } from "../scripted-assistant.ts";
import { ago, settled, toTalk, toVoidCard, toWorld, voidPreview } from "./scene-data.ts";
import type { Scene, Stage } from "./stage.ts";

const never = (): Promise<never> => new Promise(() => {});

function toCardScene(
  name: string,
  parts: Partial<Scene> & { card?: Partial<Card>; after?: readonly Message[] },
): Scene {
  const { card, after = [], ...scene } = parts;
  return {
    name: `card-${name}`,
    chat: "c1",
    assistant: () => toWorld({ messages: [...toTalk(), ...after], cards: [toVoidCard(card)] }),
    ...scene,
  };
}

/** A card as it reads in the page that saw it waiting: the preview stays. */
function toWatched(name: string, state: "confirmed" | "rejected" | "failed", finished = true): Scene {
  return toCardScene(name, {
    async act({ assistant, find }) {
      await find(".cs-card[data-state='waiting'] .cs-changes");
      const chat = assistant.chats.get("c1");
      if (chat) chat.cards = { m5: toVoidCard({ state, finished }) };
      assistant.tell("c1", { type: "message", message: settled(state, finished) });
      await find(`.cs-card[data-state='${state}']`);
    },
  });
}

const longPreview: CardPreview = {
  title: "Terms of Northwind Traders",
  changes: [
    { label: "Discount", before: "2 %", after: "3.5 %" },
    {
      label: "Text on invoices",
      before: "Payable within 14 days without deduction.",
      after: Array.from(
        { length: 100 },
        (_, index) =>
          `${index + 1}. Payable within 30 days; from the second reminder on, interest is due at the statutory rate.`,
      ).join("\n"),
    },
    { label: "Valid from", before: "1 January 2026", after: "1 January 2027" },
  ],
  warnings: ["Open invoices keep the old terms."],
};

const cutCard = toVoidCard({
  title: "Change terms",
  preview: {
    ...longPreview,
    changes: longPreview.changes.map((change) => ({ ...change, after: String(change.after).slice(0, 900) })),
  },
  cut: true,
});
const wholeCard = toVoidCard({
  title: "Change terms",
  preview: longPreview,
  arguments: '{"customer":"northwind","discount":3.5}',
});

async function showWhole({ click, find, words }: Stage): Promise<void> {
  await click(words.card.showAll);
  await find(".cs-whole");
}

function toLong(name: string, act?: Scene["act"]): Scene {
  return toCardScene(name, {
    assistant: () => {
      const world = toWorld({ messages: toTalk(), cards: [cutCard] });
      const chat = world.chats.get("c1");
      if (chat) chat.whole = { m5: wholeCard };
      return world;
    },
    ...(act ? { act } : {}),
  });
}

const hidden: CardPreview = {
  title: "Payee Acm\u0435 GmbH\u200b",
  changes: [
    { label: "IBAN", before: "DE02 1203 0000 0000 2020 51", after: "DE02\u202e15 0202 0000\u202c 0000 3021" },
    { label: "Name", before: "Acme GmbH", after: "Acme\u200b GmbH\u00a0" },
    { label: "Note", before: "", after: "paid\u0007\u001b[2K in full\ttwice" },
    { label: "Owner", before: "שלום & Co", after: "עולם & Co (Tel Aviv)" },
    { label: "Active", before: true, after: false },
    { label: "Priority", before: 1.5, after: 10000000 },
    { label: "Markup", before: "<b>old</b>", after: "<img src=x onerror=alert(1)> & <script>1</script>" },
    { label: "Filler", before: "x", after: `x${"\u200d".repeat(400)}` },
  ],
  warnings: ["The name has a Cyrillic \u2068е\u2069 in it.", "\u202eReads the other way round"],
};

export const cardScenes: readonly Scene[] = [
  toCardScene("waiting", {}),
  toCardScene("confirmable", {
    assistant: () => {
      const world = toWorld({ messages: toTalk(), cards: [toVoidCard()] });
      for (const [verb, outcome] of [
        ["confirm", "confirmed"],
        ["reject", "rejected"],
      ] as const) {
        world.script(new RegExp(`${verb}$`), () => {
          const chat = world.chats.get("c1");
          if (chat) chat.cards = { m5: toVoidCard({ state: outcome, finished: true }) };
          world.tell("c1", { type: "message", message: settled(outcome) });
          return Response.json({ outcome, finished: true });
        });
      }
      return world;
    },
  }),
  toCardScene("details", {
    async act({ find }) {
      (await find(".cs-details summary")).click();
    },
  }),
  toCardScene("soon", { card: { expiresAt: new Date(Date.now() + 48_000).toISOString() } }),
  toCardScene("being-done", {
    async act({ assistant, click, words }) {
      assistant.script(/confirm$/, never);
      await click(words.card.confirm);
    },
  }),
  toCardScene("queued", {
    async act({ assistant, click, find, words }) {
      assistant.script(/confirm$/, () => problem(409, "turn_running", { conversationId: "other-2", retryAfter: 600 }));
      await click(words.card.confirm);
      await find(".cs-foot .cs-holder");
    },
  }),
  toCardScene("retrying", {
    async act({ assistant, click, client, words }) {
      assistant.script(/confirm$/, () => "lost", 99);
      await click(words.card.confirm);
      while (client.getSnapshot().chat.cards["m5"]?.click?.phase !== "retrying") {
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    },
  }),
  toCardScene("refused", {
    async act({ assistant, click, find, words }) {
      assistant.script(/confirm$/, () =>
        problem(422, "refused", {
          detailCode: "paid",
          detail: "Invoice 2041 was paid ten minutes ago. A paid invoice cannot be voided.",
        }),
      );
      await click(words.card.confirm);
      await find(".cs-refusal");
    },
  }),
  toCardScene("refused-by-core", {
    async act({ assistant, click, find, words }) {
      assistant.script(/confirm$/, () => problem(422, "refused", { detailCode: "forbidden" }));
      await click(words.card.confirm);
      await find(".cs-refusal");
    },
  }),
  toCardScene("running", { card: { state: "running" } }),
  toWatched("confirmed", "confirmed"),
  toWatched("unfinished", "confirmed", false),
  toWatched("rejected", "rejected"),
  toWatched("failed", "failed"),
  toCardScene("confirmed-reloaded", { card: { state: "confirmed", finished: true }, after: [settled("confirmed")] }),
  toCardScene("expired", { card: { state: "expired", repeatable: true } }),
  toCardScene("expired-told", { card: { state: "expired" }, after: [settled("expired")] }),
  toCardScene("unavailable", { card: { state: "unavailable", rejectable: true } }),
  toCardScene("changed", {
    assistant: () =>
      toWorld({
        messages: [
          ...toTalk(),
          settled("changed"),
          cardMessage({ seq: 7, confirmationId: "k7", followsId: "k5", createdAt: ago(2) }),
        ],
        cards: [
          toVoidCard({ state: "changed" }),
          toVoidCard({
            messageId: "m7",
            confirmationId: "k7",
            preview: {
              ...voidPreview,
              changes: voidPreview.changes.map((change) =>
                change.label === "Amount due" ? { ...change, before: "€ 840.00" } : change,
              ),
            },
            expiresAt: ago(-58),
          }),
        ],
      }),
  }),
  toLong("long"),
  toLong("long-whole", showWhole),
  toLong("long-read", async (stage) => {
    await showWhole(stage);
    const frame = await stage.find(".cs-whole");
    frame.scrollTop = frame.scrollHeight;
    await stage.find(".cs-primary:not(:disabled)");
  }),
  toCardScene("hidden-characters", {
    card: { title: "Change payee", preview: hidden, arguments: '{"name":"Acme\u200b GmbH"}' },
  }),
  toCardScene("creates", {
    card: {
      title: "Add task",
      preview: {
        title: "A new task for Sam Okoro",
        changes: [
          { label: "Title", before: null, after: "Call Northwind about the new terms" },
          { label: "Due", before: null, after: "Monday, 7 December, 09:00" },
          { label: "Done", before: null, after: false },
        ],
        warnings: [],
      },
    },
  }),
  toCardScene("told-later", {
    card: { state: "confirmed", finished: true },
    after: [
      userMessage({ seq: 6, text: "What is still open at Acme?", createdAt: ago(3) }),
      { ...settled("confirmed"), seq: 7, id: "m7" },
    ],
  }),
];
