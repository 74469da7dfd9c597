import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { setStage, type Stage } from "../../test/core/stage.ts";

let stage: Stage;

beforeAll(async () => {
  stage = await setStage();
});

afterAll(() => stage.close());

beforeEach(() => void stage.enter());

test.each([
  ["a used row without its time", "status = 'used', preview = null", "confirmations_used"],
  [
    "a row with a time of use that is not used",
    "used_at = clock_timestamp(), spent_by = id, run_until = clock_timestamp()",
    "confirmations_used",
  ],
  [
    "a used row without the execution that spent it",
    "status = 'used', preview = null, used_at = clock_timestamp(), run_until = clock_timestamp()",
    "confirmations_spent",
  ],
  [
    "a used row without an end of its run",
    "status = 'used', preview = null, used_at = clock_timestamp(), spent_by = id",
    "confirmations_spent",
  ],
  ["a rejected row without its time", "status = 'rejected', preview = null", "confirmations_rejected"],
  ["a replaced row without its successor", "status = 'replaced', preview = null", "confirmations_replaced"],
  ["a held row with a successor", "replaced_by = id", "confirmations_replaced"],
  ["a settled row that keeps its preview", "status = 'expired'", "confirmations_preview"],
  ["an end without how it ended", "finished_at = clock_timestamp()", "confirmations_ended"],
  ["a status that is none", "status = 'done', preview = null", "confirmations_status"],
])("the database refuses %s", async (_what, change, constraint) => {
  const id = await stage.holdIt();
  const update = stage.raw.rows(`update confirmations set ${change} where id = $1`, [id]);
  await expect(update).rejects.toMatchObject({ code: "23514", constraint });
});

test("the database refuses a second row with the same successor", async () => {
  const ids = [await stage.holdIt(), await stage.holdIt()];
  const replace = (id: string | undefined): Promise<unknown> =>
    stage.raw.rows("update confirmations set status = 'replaced', preview = null, replaced_by = $2 where id = $1", [
      id,
      stage.ada.userId.slice(4),
    ]);
  await replace(ids[0]);
  await expect(replace(ids[1])).rejects.toMatchObject({ code: "23505", constraint: "confirmations_replaced_by" });
});
