import { expect, test } from "vitest";
import { texts } from "./statements.ts";

const waits = ["question", "messages", "turnEnd", "notice", "spend", "modelCall"] as const;

test.for(waits)("the commit of %s waits for the disk: a crash of the database takes nothing of it", (what) => {
  expect(texts[what]).not.toContain("synchronous_commit");
});
