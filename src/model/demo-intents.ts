import { readDate, readEmail, readMoney, readNumber, readPhone } from "./demo-values.ts";

/** What a sentence asks for: a tool by the end of its name, and its arguments. */
export interface DemoIntent {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** What the sentence leaves open: asked for instead of guessed. */
  readonly missing?: "number" | "customer" | "title" | "task" | "change" | undefined;
  /** A read that may find what is left open. */
  readonly lookup?: { readonly tool: string; readonly arguments: Readonly<Record<string, unknown>> } | undefined;
}

interface Rule {
  readonly when: RegExp;
  readonly make: (sentence: string) => DemoIntent;
}

const customerAfter =
  /(?:\b(?:of|for|from|by|customer|client|to)\b|(?<![а-яё])(?:клиент(?:а|у|ом|е)?|для|от|у|компани(?:и|ю|я)|заказчик(?:а|у)?))\s+(?:the\s+)?(?:customer\s+|client\s+|клиента\s+)?["«“]?((?!INV\b)\p{Lu}[\p{L}\d&.'’-]*(?:\s+(?:&\s*)?[\p{Lu}\d][\p{L}\d&.'’-]*)*)["»”]?/u;

/** The first rule that fits wins: writes stand before reads, the narrow before the wide. */
const rules: readonly Rule[] = [
  {
    when: /\b(?:void|cancel|annul)\b.*\binvoice|(?:аннулир|отмен|сторнир)\S*\s.*сч[её]т/iu,
    make: (sentence) => ofInvoice("invoice_void", sentence, { reason: reasonIn(sentence) }),
  },
  {
    when: /\bmark\b.*\bpaid\b|\bpaid\b.*\bmark\b|отмет\S*.*оплачен|(?:пометь|поставь)\S*.*оплачен/iu,
    make: (sentence) => ofInvoice("invoice_mark_paid", sentence, {}),
  },
  {
    when: /\bremind(?:er)?\b|напомин|напомн/iu,
    make: (sentence) => ofInvoice("reminder_send", sentence, {}),
  },
  {
    when: /\b(?:complete|finish|close|done with|tick off)\b.*\btask|(?:заверш|закр|выполн)\S*\s.*задач/iu,
    make: (sentence) => {
      const task = quoted(sentence) ?? afterWord(sentence, /\btask\b|задач[уи]/iu);
      return { tool: "task_complete", arguments: { task }, missing: task === undefined ? "task" : undefined };
    },
  },
  {
    when: /\b(?:create|add|make|new)\b.*\btask|(?:созда|добав|нов)\S*\s.*задач/iu,
    make: (sentence) => {
      const title = titleIn(sentence);
      const customer = title === undefined ? undefined : customerIn(sentence.replace(title, ""));
      return {
        tool: "task_create",
        arguments: { title, customer, due: readDate(sentence) },
        missing: title === undefined ? "title" : undefined,
      };
    },
  },
  {
    when: /\b(?:change|update|set|raise|lower)\b.*\b(?:e-?mail|phone|credit|limit)|(?:измен|помен|постав|установ|обнов|смен)\S*\s.*(?:почт|e-?mail|телефон|лимит|кредит)/iu,
    make: changeOfCustomer,
  },
  {
    when: /\bdue date\b|срок\S*\s.*(?:оплат|сч[её]т)/iu,
    make: (sentence) => ofInvoice("invoice_update", sentence, { due: readDate(sentence) }),
  },
  {
    when: /\btasks?\b|задач/iu,
    make: (sentence) => ({ tool: "tasks_find", arguments: { status: taskStatus(sentence) } }),
  },
  {
    when: /\binvoices?\b|\boverdue\b|\bowes?\b|\bunpaid\b|сч[её]т|просроч|долг|задолж/iu,
    make: (sentence) => ({ tool: "invoices_find", arguments: invoiceFilter(sentence) }),
  },
  {
    when: /\b(?:customers?|clients?|find|who is|look up)\b|клиент|заказчик|найд|найти|кто так/iu,
    make: (sentence) => ({ tool: "customers_find", arguments: { query: customerQuery(sentence) } }),
  },
];

/** What a sentence in English or Russian asks for; null when no rule knows it. */
export function findDemoIntent(sentence: string): DemoIntent | null {
  if (/^\s*(?:help|hello|hi|hey|помощь|помоги|привет|здравствуй\S*|что ты умеешь|what can you do)\b/iu.test(sentence))
    return null;
  return rules.find(({ when }) => when.test(sentence))?.make(sentence) ?? null;
}

function ofInvoice(tool: string, sentence: string, more: Readonly<Record<string, unknown>>): DemoIntent {
  const number = readNumber(sentence);
  if (number !== undefined) return { tool, arguments: { number, ...more } };
  const customer = customerIn(sentence);
  if (customer === undefined) return { tool, arguments: more, missing: "number" };
  const status = tool === "invoice_void" ? "open" : /\boverdue\b|просроч/iu.test(sentence) ? "overdue" : undefined;
  return { tool, arguments: more, lookup: { tool: "invoices_find", arguments: { customer, status } } };
}

function changeOfCustomer(sentence: string): DemoIntent {
  const email = readEmail(sentence);
  const phone = /\bphone|телефон/iu.test(sentence) ? readPhone(sentence) : undefined;
  const creditLimit = /credit|limit|кредит|лимит/iu.test(sentence) ? readMoney(sentence) : undefined;
  const customer = customerIn(sentence);
  const nothing = email === undefined && phone === undefined && creditLimit === undefined;
  return {
    tool: "customer_update",
    arguments: { customer, email, phone, creditLimit },
    missing: customer === undefined ? "customer" : nothing ? "change" : undefined,
  };
}

function invoiceFilter(sentence: string): Readonly<Record<string, unknown>> {
  return { customer: customerIn(sentence) ?? readNumber(sentence), status: invoiceStatus(sentence) };
}

function invoiceStatus(sentence: string): string | undefined {
  if (/\boverdue\b|\blate\b|просроч/iu.test(sentence)) return "overdue";
  if (/\bunpaid\b|\bopen\b|\bowes?\b|неоплач|не оплач|открыт|долг|задолж/iu.test(sentence)) return "open";
  if (/\bvoid(?:ed)?\b|\bcancelled\b|аннулир/iu.test(sentence)) return "void";
  return /\bpaid\b|оплач/iu.test(sentence) ? "paid" : undefined;
}

function taskStatus(sentence: string): string | undefined {
  if (/\b(?:done|completed|finished)\b|выполнен|заверш/iu.test(sentence)) return "done";
  return /\ball\b|(?<![а-яё])все(?![а-яё])/iu.test(sentence) ? undefined : "open";
}

const customerBefore =
  /([\p{Lu}][\p{L}\d&.-]*(?:\s+[\p{Lu}][\p{L}\d&.-]*)*)['’]s\b|\b(?:[Rr]emind|[Ss]end)\s+([\p{Lu}][\p{L}\d&.-]*)/u;

function customerIn(sentence: string): string | undefined {
  const before = customerBefore.exec(sentence.replace(/^\s*(?:raise|set|change|update|lower|increase)\s+/i, ""));
  const found = customerAfter.exec(sentence)?.[1] ?? before?.[1] ?? before?.[2];
  const name = found?.replace(/(?:['’]s)?[.'’-]*$/u, "");
  return name === "" ? undefined : name;
}

function customerQuery(sentence: string): string | undefined {
  const named = quoted(sentence) ?? customerIn(sentence);
  if (named !== undefined) return named;
  const found =
    /(?:find|look up|who is|show|найди|найти|кто такой|кто такая|покажи)\s+(?:me\s+)?(?:the\s+)?(.+?)[?.!]*$/iu.exec(
      sentence,
    )?.[1];
  return found === undefined ||
    /^(?:all|our|my|every|все|всех|наших)?\s*(?:customers?|clients?|клиент\S*)$/iu.test(found)
    ? undefined
    : found;
}

function reasonIn(sentence: string): string | undefined {
  return /(?:\bbecause\b|\bsince\b|\breason:?|потому что|причина:?|так как)\s*(.+?)[.!]*$/iu.exec(sentence)?.[1];
}

function titleIn(sentence: string): string | undefined {
  const named = quoted(sentence) ?? afterWord(sentence, /\btask\b(?:\s+(?:to|called|named))?|задач[уа]\b:?/iu);
  return named
    ?.replace(/\s+(?:due|by|до|к)\s+\S+(?:\s+\d+)?\s*$/iu, "")
    .replace(/\s+(?:for|для)\s+(?:customer\s+|клиента\s+)?\p{Lu}.*$/u, "");
}

function afterWord(sentence: string, word: RegExp): string | undefined {
  const found = word.exec(sentence);
  if (found === null) return undefined;
  const rest = sentence.slice(found.index + found[0].length).replace(/^[\s:,—-]+|[.!?\s]+$/gu, "");
  return rest === "" ? undefined : rest;
}

function quoted(sentence: string): string | undefined {
  return /["«“]([^"»”]+)["»”]/u.exec(sentence)?.[1];
}
