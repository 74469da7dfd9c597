// Writes docs/system-prompt.md: the whole system prompt, part by part; with --check only says whether it is up to date.
import { readFileSync, writeFileSync } from "node:fs";
import { type PromptFacts, promptParts, toSystemPrompt } from "../src/turn/system-prompt.ts";

const file = new URL("../docs/system-prompt.md", import.meta.url);

const facts: PromptFacts = {
  hostName: "Fern Books",
  userInstructions: "I work in accounting.\nAnswer briefly.",
  instructionsChars: 4_000,
  locale: "en-GB",
  timeZone: "Europe/Zurich",
  startedAt: new Date("2026-03-04T11:22:00Z"),
};
const instructions = "Amounts are in Swiss francs. Answer in two sentences where that is enough.";

const about: Readonly<Record<(typeof promptParts)[number], string>> = {
  role: "With the name of the application, `hostName`.",
  host: "`prompt.instructions`, as they are; nothing without them.",
  tools: "The rules of tools.",
  cards: "The rules of cards.",
  data: "What is data, and who gives instructions.",
  offPurpose: "When a request is flagged, and how.",
  user: "The user's own instructions, each line quoted, cut to the setting `instructionsChars`; nothing without them.",
  clock: "The session's `locale` and `timeZone`, and the start of the turn to the minute.",
};

const sections = promptParts.map((part) => {
  const others = Object.fromEntries(promptParts.filter((other) => other !== part).map((other) => [other, null]));
  const text = toSystemPrompt(facts, { instructions, replace: others });
  return `## \`${part}\`\n\n${about[part]}\n\n\`\`\`text\n${text}\n\`\`\`\n`;
});

const page = `# The system prompt

Made from \`src/turn/system-prompt.ts\` by \`npm run docs\`: the whole text, for a host named Fern Books and a user with instructions of
their own. A turn sends the parts in this order, with a blank line between them. [The turn](the-turn.md) shows how a host adds to
them, replaces one, or leaves one out.

${sections.join("\n")}`;

if (!process.argv.includes("--check")) {
  writeFileSync(file, page);
} else if (readFileSync(file, "utf8").replaceAll("\r\n", "\n") !== page) {
  console.error(
    "docs/system-prompt.md is not what src/turn/system-prompt.ts says: run `npm run docs` and commit the page.",
  );
  process.exitCode = 1;
}
