export type DemoLanguage = "en" | "ru";

interface Sentences {
  readonly standIn: string;
  readonly standInShort: string;
  help(tools: readonly string[]): string;
  readonly noTool: string;
  readonly nothingFound: string;
  readonly done: string;
  found(rows: number): string;
  more(rows: number): string;
  toolSaid(words: string): string;
  readonly missing: Readonly<Record<"number" | "customer" | "title" | "task" | "change", string>>;
}

/** Everything the stand-in can say. */
export const demoSentences: Readonly<Record<DemoLanguage, Sentences>> = {
  en: {
    standIn:
      "I am the demo stand-in, **not a language model**: a few rules that pick a tool by your words. Set a model's key to talk to a real one.",
    standInShort: "_(Demo stand-in, no language model: I pick tools by a few rules.)_",
    help: (tools) =>
      `Try one of these:\n\n- Which invoices are overdue?\n- Invoices of Northwind\n- Find customer Northwind\n- Open tasks\n- Void invoice INV-1042 because it was a duplicate\n- Mark invoice INV-1042 as paid\n- Set the credit limit of Northwind to 25,000\n- Create a task "Call them" due tomorrow\n- Send a reminder for INV-1042\n${toList("\nWith your rights I can use:", tools)}`,
    noTool: "There is no tool for that here, or your rights do not include it.",
    nothingFound: "Nothing found.",
    done: "Here is what I got:",
    found: (rows) => (rows === 1 ? "One found:" : `${rows} found:`),
    more: (rows) => `… and ${rows} more.`,
    toolSaid: (words) => `The tool said: ${words}`,
    missing: {
      number: "Which invoice? Give me its number, like INV-1042.",
      customer: "Which customer? Say for instance: set the credit limit of Northwind to 25,000.",
      title: 'What is the task? Say for instance: create a task "Call them" due tomorrow.',
      task: 'Which task? Put its title in quotes: complete the task "Call them".',
      change: "What should it be? Give me the new e-mail, phone or credit limit.",
    },
  },
  ru: {
    standIn:
      "Я демонстрационная заглушка, **не языковая модель**: несколько правил, которые выбирают инструмент по словам. Задайте ключ модели, чтобы говорить с настоящей.",
    standInShort: "_(Демонстрационная заглушка, не языковая модель: я выбираю инструменты по нескольким правилам.)_",
    help: (tools) =>
      `Попробуйте так:\n\n- Какие счета просрочены?\n- Счета клиента Northwind\n- Найди клиента Northwind\n- Открытые задачи\n- Аннулируй счёт INV-1042\n- Отметь счёт INV-1042 как оплаченный\n- Измени кредитный лимит клиента Northwind на 25 000\n- Создай задачу «Позвонить» на завтра\n- Отправь напоминание по INV-1042\n${toList("\nС вашими правами мне доступно:", tools)}`,
    noTool: "Для этого здесь нет инструмента, или ваших прав на него не хватает.",
    nothingFound: "Ничего не найдено.",
    done: "Вот что получилось:",
    found: (rows) => `Найдено: ${rows}`,
    more: (rows) => `… и ещё ${rows}.`,
    toolSaid: (words) => `Инструмент ответил: ${words}`,
    missing: {
      number: "Какой счёт? Назовите номер, например INV-1042.",
      customer: "Какой клиент? Скажите, например: измени кредитный лимит клиента Northwind на 25 000.",
      title: "Какая задача? Скажите, например: создай задачу «Позвонить» на завтра.",
      task: "Какая задача? Назовите её в кавычках: заверши задачу «Позвонить».",
      change: "На что изменить? Назовите новую почту, телефон или кредитный лимит.",
    },
  },
};

function toList(head: string, items: readonly string[]): string {
  return items.length === 0 ? "" : `${head}\n\n${items.map((item) => `- ${item}`).join("\n")}`;
}
