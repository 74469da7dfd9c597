import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "countersign/testing";
import { createOfficeDatabase, type OfficeDatabase } from "./database.ts";
import { createSignIns, type SignIns } from "./sign-in.ts";

const port = 3_000;
let base: TestDatabase;
let database: OfficeDatabase;
let signIns: SignIns;

beforeAll(async () => {
  base = await createTestDatabase();
  database = createOfficeDatabase(base.connectionString);
  signIns = await createSignIns(database, { port });
});

afterAll(async () => {
  await database.close();
  await base.drop();
});

/** A browser: it keeps the cookies of what it was answered. */
function createBrowser() {
  const jar = new Map<string, string>();
  const request = (): Request => {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
    return new Request(`http://localhost:${port}/`, { headers: { cookie, origin: `http://localhost:${port}` } });
  };
  const take = (answer: Response): boolean => {
    for (const cookie of answer.headers.getSetCookie()) {
      const [name = "", value = ""] = (cookie.split(";")[0] ?? "").split(/=(.*)/s);
      if (/max-age=0/i.test(cookie)) jar.delete(name);
      else jar.set(name, value);
    }
    return answer.ok;
  };
  return { request, take };
}

async function signedIn(who: string) {
  const browser = createBrowser();
  expect(browser.take(await signIns.signIn(browser.request(), who))).toBe(true);
  return browser;
}

async function refOf(browser: ReturnType<typeof createBrowser>): Promise<string> {
  const ref = await signIns.resolve(browser.request());
  if (ref === null) throw new Error("nobody is signed in");
  return ref;
}

test("one click signs in; signing out ends that sign-in at once", async () => {
  const browser = await signedIn("maja");
  const ref = await refOf(browser);
  const session = await signIns.load(ref);
  expect(session).toMatchObject({ ref, displayName: "Maja Lind", impersonatedBy: undefined });
  expect(await session?.can("billing.write")).toBe(true);

  browser.take(await signIns.signOut(browser.request()));
  expect(await signIns.resolve(browser.request())).toBeNull();
  expect(await signIns.load(ref)).toBeNull();
});

test("each person has their own rights", async () => {
  const reader = await signIns.load(await refOf(await signedIn("tom")));
  expect(await reader?.can("billing.read")).toBe(true);
  expect(await reader?.can("billing.write")).toBe(false);
  const administrator = await signIns.load(await refOf(await signedIn("ines")));
  expect(await administrator?.can("assistant.manage")).toBe(true);
});

test("nobody is signed in without a cookie, with another's forged one, or by a name that is none", async () => {
  expect(await signIns.resolve(createBrowser().request())).toBeNull();
  const browser = await signedIn("maja");
  const cookie = (browser.request().headers.get("cookie") ?? "").replace(/\.[^;]*/, ".forged");
  expect(await signIns.resolve(new Request("http://localhost:3000/", { headers: { cookie } }))).toBeNull();
  expect((await signIns.signIn(createBrowser().request(), "nobody")).status).toBe(404);
});

test("an administrator acts as another, and is themself again afterwards", async () => {
  const browser = await signedIn("ines");
  expect(browser.take(await signIns.actAs(browser.request(), "maja"))).toBe(true);
  expect(await signIns.load(await refOf(browser))).toMatchObject({
    displayName: "Maja Lind",
    impersonatedBy: "ines@larkspur.example",
  });
  expect(browser.take(await signIns.stopActing(browser.request()))).toBe(true);
  expect(await signIns.load(await refOf(browser))).toMatchObject({ displayName: "Ines Duarte" });
});

test("nobody else can act as another", async () => {
  const browser = await signedIn("maja");
  expect(browser.take(await signIns.actAs(browser.request(), "tom"))).toBe(false);
  expect(await signIns.load(await refOf(browser))).toMatchObject({ displayName: "Maja Lind" });
});

test("a ban ends sign-ins that live already, and so does an impersonator's loss of office", async () => {
  const set = (text: string) => database.authPool.query(text);
  const ref = await refOf(await signedIn("tom"));
  await set(`update "user" set banned = true where email = 'tom@larkspur.example'`);
  expect(await signIns.load(ref)).toBeNull();
  await set(`update "user" set banned = false where email = 'tom@larkspur.example'`);
  expect(await signIns.load(ref)).not.toBeNull();

  const browser = await signedIn("ines");
  browser.take(await signIns.actAs(browser.request(), "maja"));
  const acting = await refOf(browser);
  await set(`update "user" set role = 'user' where email = 'ines@larkspur.example'`);
  expect(await signIns.load(acting)).toBeNull();
  await set(`update "user" set role = 'admin' where email = 'ines@larkspur.example'`);
  expect(await signIns.load(acting)).not.toBeNull();
});
