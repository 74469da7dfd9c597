import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { judgeCase, type Judged, type Quirk } from "../scripts/replay/judge-case.ts";
import { replayAll } from "../scripts/replay/replay-cases.ts";

const folder = fileURLToPath(new URL("quirks/", import.meta.url));

const quirks: readonly Quirk[] = readdirSync(folder)
  .flatMap((name) => readFileSync(`${folder}${name}`, "utf8").trim().split("\n"))
  .map((line) => JSON.parse(line) as Quirk);

test(
  "what gateways and models send beside the protocols comes out of a whole turn as each case says",
  { timeout: 120_000 },
  async () => {
    const judged: Judged[] = [];
    await replayAll(quirks, (quirk, observed) => judged.push(judgeCase(quirk, observed)));
    expect(judged.filter(({ pass }) => !pass)).toEqual([]);
    expect(judged.map(({ id }) => id).toSorted()).toEqual(quirks.map(({ id }) => id).toSorted());
  },
);

test("a case whose answer or calls are others than it asks for does not pass", async () => {
  const base = { protocol: "openai-chat", http_status: 200, notice_code: null, retry: "no" } as const;
  const said = { choices: [{ index: 0, message: { content: "Sunny." }, finish_reason: "stop" }] };
  const wrong: readonly Quirk[] = [
    { ...base, id: "another text", body: said, answer: "Rainy." },
    { ...base, id: "no call", body: said, ran: [["get_weather", "{}"]] },
  ];
  const judged: Judged[] = [];
  await replayAll(wrong, (quirk, observed) => judged.push(judgeCase(quirk, observed)));
  expect(judged.filter(({ pass }) => pass)).toEqual([]);
  expect(judged).toHaveLength(2);
});
