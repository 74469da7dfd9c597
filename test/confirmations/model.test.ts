import fc from "fast-check";
import { expect, test } from "vitest";
import { v7 as uuid } from "uuid";
import { deskRights } from "../desk.ts";
import { openConversation } from "../node.ts";
import * as reference from "./reference.ts";
import { killed } from "./story-death.ts";
import {
  Ask,
  BothConfirm,
  changeTarget,
  Click,
  look,
  remove,
  runOut,
  settle,
  switchBox,
  switchImpersonation,
  switchRight,
  switchSignIn,
} from "./story-steps.ts";
import { desk, names, nodes, seen, setBox, which, who } from "./story-world.ts";

// Two sessions of one user, two tabs, two processes: random stories beside the reference. `COUNTERSIGN_STORIES` tells
// more of them, `COUNTERSIGN_SEED` tells the same again.
const stories = Number(process.env["COUNTERSIGN_STORIES"] ?? 2_000);
const seed = Number(process.env["COUNTERSIGN_SEED"] ?? Date.now() % 2_147_483_647);

const click = fc.constantFrom("confirm" as const, "reject" as const, "repeat" as const);
const ask = fc.constantFrom(...names).map((name) => new Ask(name));
const confirm = fc.record({ who, node: who, which }).map((people) => new Click("confirm", people));
const reject = fc.record({ who, node: who, which }).map((people) => new Click("reject", people));
const repeat = fc.record({ who, node: who, which }).map((people) => new Click("repeat", people));
const both = which.map((index) => new BothConfirm(index));
const ranOut = which.map(runOut);
const death = fc.record({ which, steps: fc.nat({ max: 12 }), commits: fc.boolean(), later: fc.boolean() });
const kill = fc.tuple(click, death).map(([kind, how]) => killed(kind, how));
const killConfirm = death.map((how) => killed("confirm", how));
// What is listed more often happens more often.
const commands = [
  ...[ask, ask, ask, ask, confirm, confirm, confirm, reject, repeat, repeat, both, both],
  ...[ranOut, ranOut, kill, killConfirm, killConfirm],
  which.map(remove),
  fc.constantFrom("Ada", "Di").map(changeTarget),
  fc.constant(switchBox),
  who.map(switchRight),
  who.map(switchSignIn),
  who.map(switchImpersonation),
  fc.tuple(who, who).map(([session, node]) => settle(session, node)),
  fc.tuple(who, who).map(([session, node]) => look(session, node)),
];

// Two thousand stories hold every one of these many times over.
const mustHappen = [
  ...["confirmed", "failed", "changed", "expired", "not_waiting", "forbidden", "writes_off"].map(
    (said) => `confirm ${said}`,
  ),
  ...["session_invalid", "impersonated"].map((said) => `confirm ${said}`),
  ...["rejected", "expired", "not_waiting"].map((said) => `reject ${said}`),
  ...["repeated", "not_expired", "already_waiting"].map((said) => `repeat ${said}`),
  ...["confirmed", "click_running", "not_waiting"].map((said) => `both ${said}`),
  ...["waiting before", "confirmed after", "failed after", "changed before"].map(
    (end) => `killed confirm ${end} the handler`,
  ),
];

test(
  `cards do what the reference says in ${stories} random stories (seed ${seed})`,
  { timeout: 60_000 + stories * 1_000 },
  async () => {
    const story = fc.asyncProperty(fc.commands(commands, { maxCommands: 25, size: "max" }), async (told) => {
      const userId = uuid();
      const sessions = [desk.signIn(userId, deskRights), desk.signIn(userId, deskRights)] as const;
      const conversationId = await openConversation(nodes[0], sessions[0].ref);
      await setBox(true);
      const start = () => ({
        model: reference.createReference(),
        real: { userId, sessions, conversationId, cards: [] },
      });
      await fc.asyncModelRun(start, told);
    });
    await fc.assert(story, { numRuns: stories, seed, endOnFailure: false });
    const happened = [...seen.keys()].toSorted();
    if (process.env["COUNTERSIGN_TALLY"] !== undefined) console.log(Object.fromEntries([...seen]));
    expect(happened).toEqual(expect.arrayContaining([...mustHappen]));
  },
);
