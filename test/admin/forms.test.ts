import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { AdminEndpoints, AdminLimits, AdminModules } from "../../src/wire/admin.ts";
import type { SignIn } from "../desk.ts";
import { serveDesk, type Served } from "../http/served.ts";
import { signInManager } from "./people.ts";

let served: Served;
let manager: SignIn;

beforeAll(async () => {
  served = await serveDesk([]);
  manager = signInManager(served);
});

afterAll(() => served.close());

const ask = (method: string, path: string, body?: unknown) => served.ask(method, path, { as: manager, body });
const limits = async (userId?: string): Promise<AdminLimits> =>
  (await ask("GET", `/admin/limits${userId === undefined ? "" : `?userId=${userId}`}`)).body as unknown as AdminLimits;
const versionsOf = ({ fields }: AdminLimits) => Object.fromEntries(fields.map(({ key, version }) => [key, version]));
const field = ({ fields }: AdminLimits, key: string) => fields.find((one) => one.key === key);

describe("A form that was opened earlier", () => {
  test("does not overwrite a newer value of a field it changes: it is refused with the newer values", async () => {
    const early = await limits();
    const late = await limits();
    const first = await ask("PATCH", "/admin/limits", { changes: { turnsPerHour: 30 }, versions: versionsOf(early) });
    expect(first.status).toBe(200);
    const second = await ask("PATCH", "/admin/limits", {
      changes: { turnsPerHour: 90, turnsPerDay: 100 },
      versions: versionsOf(late),
    });
    expect(second).toMatchObject({ status: 409, body: { code: "changed_meanwhile" } });
    const { newer } = second.body as { newer: { keys: string[]; form: AdminLimits } };
    expect(newer.keys).toEqual(["turnsPerHour"]);
    expect(field(newer.form, "turnsPerHour")).toMatchObject({ own: 30, effective: 30 });
    const now = await limits();
    expect(field(now, "turnsPerHour")?.own).toBe(30);
    expect(field(now, "turnsPerDay")?.isSet).toBe(false);
  });

  test("does not overwrite what it does not touch", async () => {
    const early = await limits();
    await ask("PATCH", "/admin/limits", { changes: { readsPerMinute: 5 }, versions: versionsOf(early) });
    const answer = await ask("PATCH", "/admin/limits", { changes: { holdsPerMinute: 6 }, versions: versionsOf(early) });
    expect(answer.status).toBe(200);
    const now = await limits();
    expect([field(now, "readsPerMinute")?.own, field(now, "holdsPerMinute")?.own]).toEqual([5, 6]);
  });

  test("of a module neither", async () => {
    const read = async () => (await ask("GET", "/admin/modules")).body as unknown as AdminModules;
    const early = (await read()).modules[0];
    expect(early).toMatchObject({ key: "desk", on: true, writes: true });
    expect((await ask("PATCH", "/admin/modules/desk", { writes: false, versions: early?.versions })).status).toBe(200);
    const again = await ask("PATCH", "/admin/modules/desk", { writes: true, versions: early?.versions });
    expect(again).toMatchObject({ status: 409, body: { code: "changed_meanwhile", newer: { keys: ["writes"] } } });
    const on = await ask("PATCH", "/admin/modules/desk", { on: false, versions: early?.versions });
    expect(on.status).toBe(200);
    expect((await read()).modules[0]).toMatchObject({ on: false, writes: false, defaults: { on: true, writes: true } });
  });

  test("of an endpoint neither, and one that is changed keeps what was not said", async () => {
    const made = await ask("POST", "/admin/endpoints", {
      name: "extra",
      provider: "openai",
      model: "small",
      price: { input: 1, output: 2 },
      credential: { env: "OPENAI_API_KEY" },
    });
    expect(made.status).toBe(201);
    const extra = (answer: { readonly body: object }) =>
      (answer.body as AdminEndpoints).endpoints.find(({ name }) => name === "extra");
    expect(extra(made)).toMatchObject({ version: 1, credential: { env: "OPENAI_API_KEY" } });
    const changed = await ask("PATCH", "/admin/endpoints/extra", { version: 1, changes: { model: "large" } });
    expect(extra(changed)).toMatchObject({ version: 2, model: "large", price: { input: 1, output: 2 } });
    const stale = await ask("PATCH", "/admin/endpoints/extra", { version: 1, changes: { price: null } });
    expect(stale).toMatchObject({ status: 409, body: { code: "changed_meanwhile" } });
    expect(extra({ body: (stale.body["newer"] as { form: object }).form })).toMatchObject({
      version: 2,
      model: "large",
    });
    const free = await ask("PATCH", "/admin/endpoints/extra", { version: 2, changes: { price: null, enabled: false } });
    expect(extra(free)).toMatchObject({ price: null, enabled: false, credential: { env: "OPENAI_API_KEY" } });
    expect((await ask("DELETE", "/admin/endpoints/extra")).status).toBe(200);
  });
});

describe("What cannot be set is refused with its reason", () => {
  test.each([
    ["/admin/limits", { changes: { lockHold: 1 }, versions: {} }, 403, "not_settable"],
    ["/admin/limits", { changes: { turnsPerHour: 0 }, versions: {} }, 422, "out_of_bounds"],
    ["/admin/limits", { changes: { nothing: 1 }, versions: {} }, 422, "unknown_setting"],
    ["/admin/limits", { changes: { "module:desk:on": false }, versions: {} }, 422, "unknown_setting"],
    ["/admin/limits", { userId: "mia", changes: { siteBudgetDay: 1 }, versions: {} }, 403, "not_settable"],
    ["/admin/limits", { userId: "mia", changes: { instructions: "" }, versions: {} }, 403, "not_settable"],
    ["/admin/modules/nothing", { on: false, versions: {} }, 404, "unknown_module"],
    ["/admin/endpoints/nothing", { version: 1, changes: {} }, 404, "unknown_endpoint"],
    ["/admin/endpoints/scripted", { version: 0, changes: { enabled: false } }, 409, "name_in_code"],
  ] as const)("%s %j", async (...[path, body, status, code]) => {
    const answer = await ask("PATCH", path, body);
    expect([answer.status, answer.body["code"]]).toEqual([status, code]);
  });

  test.each([
    [{ name: "scripted", provider: "openai", model: "m" }, 409, "name_in_code"],
    [{ name: "a b", provider: "openai", model: "m" }, 422, "invalid_endpoint"],
    [{ name: "a", provider: "openai-compatible", model: "m" }, 422, "invalid_endpoint"],
    [{ name: "a", provider: "openai", model: "m", baseURL: "http://169.254.169.254/" }, 422, "address_refused"],
    [
      {
        name: "a",
        provider: "openai",
        model: "m",
        baseURL: "https://collector.example/v1",
        credential: { env: "OPENAI_API_KEY" },
      },
      422,
      "variable_refused",
    ],
    [
      {
        name: "a",
        provider: "openai-compatible",
        model: "m",
        baseURL: "https://collector.example/v1",
        credential: { env: "COUNTERSIGN_SECRET" },
      },
      422,
      "variable_refused",
    ],
    [{ name: ".", provider: "openai", model: "m" }, 422, "invalid_endpoint"],
    [{ name: "..", provider: "openai", model: "m" }, 422, "invalid_endpoint"],
    [{ name: "a", provider: "openai", model: "m", credential: { value: "sk-secret" } }, 422, "no_secret"],
    [{ name: "a", provider: "demo", model: "m" }, 400, "body_invalid"],
  ] as const)("an endpoint %j", async (body, status, code) => {
    const answer = await ask("POST", "/admin/endpoints", body);
    expect([answer.status, answer.body["code"]]).toEqual([status, code]);
  });
});

test("a user's own budget is set, told with what they have of it, and taken back", async () => {
  const before = await limits("mia");
  expect(before.fields.map(({ key }) => key)).not.toContain("instructions");
  const set = await ask("PATCH", "/admin/limits", {
    userId: "mia",
    changes: { userBudgetDay: 2.5, endpoint: "scripted" },
    versions: versionsOf(before),
  });
  expect(set.status).toBe(200);
  expect((await served.assistant.settings.forUser("mia")).values.userBudgetDay).toBe(2.5);
  const { users } = (await ask("GET", "/admin/endpoints")).body as unknown as AdminEndpoints;
  expect(users).toEqual([{ userId: "mia", endpoint: "scripted", how: "set" }]);
  const form = set.body as unknown as AdminLimits;
  const back = { userBudgetDay: null, endpoint: null };
  await ask("PATCH", "/admin/limits", { userId: "mia", changes: back, versions: versionsOf(form) });
  expect(field(await limits("mia"), "userBudgetDay")).toMatchObject({ isSet: false, effective: null });
});

test("an endpoint is tried with one tiny call, by its manager's own hand", async () => {
  const answering = await serveDesk(["ok", { fail: { status: 401 } }]);
  const as = signInManager(answering);
  const tryIt = (name: string) => answering.ask("POST", `/admin/endpoints/${name}/try`, { as });
  const good = await tryIt("scripted");
  expect(good).toMatchObject({ status: 200, body: { ok: true, model: "scripted", latencyMs: expect.any(Number) } });
  expect(await tryIt("scripted")).toMatchObject({ status: 200, body: { ok: false, code: "auth_failed" } });
  const { body } = await answering.ask("GET", "/admin/journal?userId=ines", { as });
  expect(body).toMatchObject({ entries: [{ code: "auth_failed" }, { status: "ok", task: "admin.try" }] });
  expect(await tryIt("nothing")).toMatchObject({ status: 404, body: { code: "unknown_endpoint" } });
  await answering.close();
});

test("a key that is stored goes in and never comes out", async () => {
  const secret = "a secret of at least thirty-two characters";
  const sealed = await serveDesk([], { models: { endpoints: [], secret } });
  const ines = signInManager(sealed);
  const body = { name: "a", provider: "openai", model: "m", credential: { value: "sk-very-secret" } };
  const made = await sealed.ask("POST", "/admin/endpoints", { as: ines, body });
  expect(made.status).toBe(201);
  const twice = await sealed.ask("POST", "/admin/endpoints", { as: ines, body });
  expect(twice).toMatchObject({ status: 409, body: { code: "name_taken" } });
  const list = await sealed.ask("GET", "/admin/endpoints", { as: ines });
  expect(list.body).toMatchObject({ canStoreKeys: true, endpoints: [{ credential: "stored", available: true }] });
  expect(JSON.stringify([made.body, list.body])).not.toContain("sk-very");
  await sealed.close();
});
