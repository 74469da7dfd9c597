// Writes docs/settings.md from the settings' schema; with --check only says whether it is up to date.
import { readFileSync, writeFileSync } from "node:fs";
import { settingsSchema } from "../src/settings/schema.ts";

interface Shown {
  readonly default: number | boolean | string | null;
  readonly setBy: "code" | "admin" | "user";
  readonly describe: string;
  readonly min?: number;
  readonly max?: number;
  readonly unit?: string;
}

const file = new URL("../docs/settings.md", import.meta.url);

const who = { code: "code", admin: "code, an admin", user: "code, an admin, the user" } as const;

const figure = (value: number): string => value.toLocaleString("en-US", { maximumFractionDigits: 20 });

function shown(value: Shown["default"]): string {
  if (value === null) return "none";
  if (value === "") return "empty";
  return typeof value === "number" ? figure(value) : String(value);
}

function bounds({ min, max, unit }: Shown): string {
  if (max === undefined) return "";
  if (min === undefined) return `up to ${figure(max)} characters`;
  return `${figure(min)} to ${figure(max)}${unit === undefined ? "" : ` ${unit}`}`;
}

const rows = Object.entries(settingsSchema as Readonly<Record<string, Shown>>).map(
  ([key, setting]) =>
    `| \`${key}\` | ${shown(setting.default)} | ${bounds(setting)} | ${who[setting.setBy]} | ${setting.describe} |`,
);

const page = `# Settings

Made from \`src/settings/schema.ts\` by \`npm run docs\`. A value given to \`createAssistant({ settings })\` is the site's default; a row an
admin sets stands over it, a row of a user's own over that, each only where the fourth column lets them.

Each module has two more: \`module:<key>:on\`, and \`module:<key>:writes\`, the box "assistant may write here".

| setting | default | bounds | set by | what it does |
| --- | --- | --- | --- | --- |
${rows.join("\n")}
`;

if (!process.argv.includes("--check")) {
  writeFileSync(file, page);
} else if (readFileSync(file, "utf8").replaceAll("\r\n", "\n") !== page) {
  console.error("docs/settings.md is not what src/settings/schema.ts says: run `npm run docs` and commit the page.");
  process.exitCode = 1;
}
