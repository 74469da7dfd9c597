import type { LanguageModelV4Message, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { describe, expect, test } from "vitest";
import { createDemoModel } from "./demo-model.ts";
import { readDate, readMoney } from "./demo-values.ts";

const takes: Readonly<Record<string, readonly string[]>> = {
  billing__invoices_find: ["customer", "status"],
  billing__invoice_void: ["number", "reason"],
  billing__invoice_mark_paid: ["number"],
  billing__reminder_send: ["number"],
  crm__customers_find: ["query"],
  crm__customer_update: ["customer", "email", "phone", "creditLimit"],
  tasks__tasks_find: ["status"],
  tasks__task_create: ["title", "customer", "due"],
  tasks__task_complete: ["task"],
};

interface Reply {
  readonly text: string;
  readonly pieces: number;
  readonly calls: readonly { readonly name: string; readonly arguments: unknown }[];
}

const user = (text: string): LanguageModelV4Message => ({ role: "user", content: [{ type: "text", text }] });

function afterResult(question: string, value: string): LanguageModelV4Message[] {
  const named = { toolCallId: "abcdefgh1", toolName: "billing__invoices_find" };
  return [
    user(question),
    { role: "assistant", content: [{ type: "tool-call", ...named, input: {} }] },
    { role: "tool", content: [{ type: "tool-result", ...named, output: { type: "text", value } }] },
  ];
}

async function ask(prompt: LanguageModelV4Message[], names: readonly string[] = Object.keys(takes)): Promise<Reply> {
  const tools = names.map((name) => ({
    type: "function" as const,
    name,
    description: `Does ${name}.`,
    inputSchema: {
      type: "object" as const,
      properties: Object.fromEntries((takes[name] ?? []).map((key) => [key, {}])),
    },
  }));
  const { stream } = await createDemoModel({ pauseMs: 0 }).doStream({ prompt, tools });
  const parts: LanguageModelV4StreamPart[] = [];
  const reader = stream.getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) parts.push(next.value);
  const deltas = parts.flatMap((part) => (part.type === "text-delta" ? [part.delta] : []));
  expect(parts.at(-1)?.type).toBe("finish");
  return {
    text: deltas.join(""),
    pieces: deltas.length,
    calls: parts.flatMap((part) =>
      part.type === "tool-call" ? [{ name: part.toolName, arguments: JSON.parse(part.input) as unknown }] : [],
    ),
  };
}

describe("The demo model asks for the tool a sentence means", () => {
  test.each<readonly [string, string, object]>([
    ["Which invoices are overdue?", "billing__invoices_find", { status: "overdue" }],
    ["Invoices of Northwind Hotels", "billing__invoices_find", { customer: "Northwind Hotels" }],
    ["Find customer Cedar & Stone", "crm__customers_find", { query: "Cedar & Stone" }],
    ["Show me all customers", "crm__customers_find", {}],
    ["Open tasks", "tasks__tasks_find", { status: "open" }],
    [
      "Void invoice INV-1042 because it was a duplicate",
      "billing__invoice_void",
      { number: "INV-1042", reason: "it was a duplicate" },
    ],
    ["Please cancel invoice 1042", "billing__invoice_void", { number: "INV-1042" }],
    ["Mark invoice inv-1042 as paid", "billing__invoice_mark_paid", { number: "INV-1042" }],
    [
      "Set the credit limit of Gallery Nine to 25,000",
      "crm__customer_update",
      { customer: "Gallery Nine", creditLimit: 25_000 },
    ],
    [
      "Raise Gallery Nine's credit limit to 25k",
      "crm__customer_update",
      { customer: "Gallery Nine", creditLimit: 25_000 },
    ],
    [
      "Change the e-mail of Dunmore to a@b.example",
      "crm__customer_update",
      { customer: "Dunmore", email: "a@b.example" },
    ],
    [
      'Create a task "Call about INV-7" due 2026-12-05',
      "tasks__task_create",
      { title: "Call about INV-7", due: "2026-12-05" },
    ],
    ["Complete the task stock count", "tasks__task_complete", { task: "stock count" }],
    ["Send a reminder for INV-1044", "billing__reminder_send", { number: "INV-1044" }],
    ["Какие счета просрочены?", "billing__invoices_find", { status: "overdue" }],
    ["Счета клиента Northwind", "billing__invoices_find", { customer: "Northwind" }],
    ["Аннулируй счёт INV-1042", "billing__invoice_void", { number: "INV-1042" }],
    ["Отметь счёт INV-1042 как оплаченный", "billing__invoice_mark_paid", { number: "INV-1042" }],
    ["Создай задачу «Позвонить»", "tasks__task_create", { title: "Позвонить" }],
    ["Отправь напоминание по INV-1044", "billing__reminder_send", { number: "INV-1044" }],
    ['billing.invoices_find {"status":"paid"}', "billing__invoices_find", { status: "paid" }],
  ])("%s", async (question, name, args) => {
    expect((await ask([user(question)])).calls).toEqual([{ name, arguments: args }]);
  });
});

test("it says plainly that it is no language model", async () => {
  for (const [question, words] of [
    ["help", "not a language model"],
    ["What's the weather?", "not a language model"],
    ["Open tasks", "no language model"],
    ["Привет", "не языковая модель"],
  ] as const) {
    expect((await ask([user(question)])).text).toContain(words);
  }
});

test("it asks for what a sentence leaves open instead of guessing", async () => {
  for (const question of ["Void an invoice", "Create a task", "Change the credit limit of Gallery Nine"]) {
    const reply = await ask([user(question)]);
    expect(reply.calls).toEqual([]);
    expect(reply.text).not.toBe("");
  }
});

test("it uses only tools that are offered, with only the arguments they take", async () => {
  expect(await ask([user("Void invoice INV-1042")], ["billing__invoices_find"])).toMatchObject({
    calls: [],
    text: expect.stringContaining("no tool for that") as string,
  });
  expect((await ask([user("Open tasks")], ["other__tasks_find"])).calls).toEqual([
    { name: "other__tasks_find", arguments: {} },
  ]);
});

test("it writes the rows of a result as a table, in small pieces", async () => {
  const result = JSON.stringify({
    invoices: [{ number: "INV-7", customer: "A|B", amount: 12.5 }],
    totalOwed: "€12.50",
  });
  const reply = await ask(afterResult("Which invoices are overdue?", result));
  expect(reply.text).toBe(
    "One found:\n\n| Number | Customer | Amount |\n| --- | --- | ---: |\n| INV-7 | A\\|B | 12.5 |\n\n**Total owed**: €12.50",
  );
  expect(reply.pieces).toBeGreaterThan(5);
});

test("it says so when nothing was found or a tool said no", async () => {
  expect((await ask(afterResult("Какие счета просрочены?", '{"invoices":[]}'))).text).toBe("Ничего не найдено.");
  expect((await ask(afterResult("Which invoices?", "Not run: no such tool."))).text).toBe(
    "The tool said: Not run: no such tool.",
  );
});

test("it asks for a write once its look-up found the one invoice that is meant", async () => {
  const question = "Mark the overdue invoice of Dunmore Dental as paid";
  expect((await ask([user(question)])).calls).toEqual([
    { name: "billing__invoices_find", arguments: { customer: "Dunmore Dental", status: "overdue" } },
  ]);
  const one = '{"invoices":[{"number":"INV-1044"}]}';
  expect((await ask(afterResult(question, one))).calls).toEqual([
    { name: "billing__invoice_mark_paid", arguments: { number: "INV-1044" } },
  ]);
  const two = '{"invoices":[{"number":"INV-1"},{"number":"INV-2"}]}';
  expect(await ask(afterResult(question, two))).toMatchObject({
    calls: [],
    text: expect.stringContaining("INV-2") as string,
  });
});

test("amounts and days are read as people write them", () => {
  expect(["25,000", "25 000", "25k", "1200.50", "INV-7"].map(readMoney)).toEqual([
    25_000,
    25_000,
    25_000,
    1_200.5,
    undefined,
  ]);
  const monday = new Date("2026-11-30T12:00:00Z");
  expect(
    ["tomorrow", "in 3 days", "on Monday", "3.2.2027", "завтра", "через 5 дней", "some day"].map((text) =>
      readDate(text, monday),
    ),
  ).toEqual(["2026-12-01", "2026-12-03", "2026-12-07", "2027-02-03", "2026-12-01", "2026-12-05", undefined]);
});
