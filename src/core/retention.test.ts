import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { setStage, type Stage } from "../../test/core/stage.ts";

let stage: Stage;

beforeAll(async () => {
  stage = await setStage();
});

afterAll(() => stage.close());

beforeEach(() => void stage.enter());

const columns = "user_id, id, session_hash, module, tool, tool_title, args_hash, fingerprint, status, expires_at";

/** Puts a row of a status whose time was over `ago`. */
async function put(status: string, ago: string): Promise<string> {
  const id = crypto.randomUUID();
  const more: Record<string, string> = {
    used: ", used_at, spent_by, run_until",
    rejected: ", rejected_at",
    replaced: ", replaced_by",
  };
  const values: Record<string, string> = {
    used: ", clock_timestamp(), gen_random_uuid(), clock_timestamp()",
    rejected: ", clock_timestamp()",
    replaced: ", gen_random_uuid()",
  };
  await stage.raw.rows(
    `insert into confirmations (${columns}${more[status] ?? ""})
     values ($1, $2, 's', 'notes', 'notes.write', 't', 'a', 'f', $3, clock_timestamp() - $4::interval${values[status] ?? ""})`,
    [stage.ada.userId, id, status, ago],
  );
  return id;
}

const left = async (): Promise<readonly unknown[]> => {
  const text = "select id from confirmations where user_id = $1";
  return (await stage.raw.rows<{ id: string }>(text, [stage.ada.userId])).map(({ id }) => id);
};

test("rows that ran out, expired or were rejected go after 30 days, used and replaced ones never", async () => {
  const kept = [];
  for (const status of ["held", "expired", "rejected"]) {
    await put(status, "31 days");
    kept.push(await put(status, "29 days"));
  }
  for (const status of ["used", "replaced"]) kept.push(await put(status, "10 years"));
  await stage.node.core.sweep();
  expect(new Set(await left())).toEqual(new Set(kept));
});

test("a sweep deletes in batches, past the first", async () => {
  await stage.raw.rows(
    `insert into confirmations (${columns})
     select $1, gen_random_uuid(), 's', 'notes', 'notes.write', 't', 'a', 'f', 'expired', clock_timestamp() - interval '40 days'
       from generate_series(1, 1100)`,
    [stage.ada.userId],
  );
  await stage.node.core.sweep();
  expect(await left()).toEqual([]);
});

test("what is asked to be forgotten by id is, whatever its status, and of this user alone", async () => {
  const ids = [await put("used", "1 day"), await put("held", "-1 day"), await put("used", "1 day")];
  await stage.node.core.forgetConfirmations("eve", ids);
  expect(await left()).toHaveLength(3);
  await stage.node.core.forgetConfirmations(stage.ada.userId, [...ids.slice(0, 2), "x"]);
  expect(await left()).toEqual(ids.slice(2));
});

test("a user who is forgotten leaves nothing, and others keep theirs", async () => {
  const id = await stage.holdIt();
  await stage.click(id);
  const { userId } = stage.ada;
  stage.enter();
  await stage.holdIt();
  await stage.node.core.forgetUser(userId);
  for (const table of ["confirmations", "tool_calls", "rates"]) {
    const count = `select count(*)::int as n from ${table} where user_id = $1`;
    expect([table, await stage.raw.rows(count, [userId])]).toEqual([table, [{ n: 0 }]]);
    expect([table, await stage.raw.rows(count, [stage.ada.userId])]).toEqual([table, [{ n: 1 }]]);
  }
});
