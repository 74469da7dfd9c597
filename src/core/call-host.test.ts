import { expect, test } from "vitest";
import { callHost, type HostAnswer } from "./call-host.ts";

const never = new Promise<never>(() => {});

test("a call of the host ends with its answer, or with what it threw, at once or later", async () => {
  const error = new Error("no");
  const fail = (): never => {
    throw error;
  };
  expect(await callHost(() => 1, { limit: 1_000 })).toEqual({ how: "answered", value: 1 });
  expect(await callHost(async () => 1, { limit: 1_000 })).toEqual({ how: "answered", value: 1 });
  expect(await callHost(fail, { limit: 1_000 })).toEqual({ how: "threw", error });
  expect(await callHost(async () => fail(), { limit: 1_000 })).toEqual({ how: "threw", error });
});

test("a call that does not answer in its time is late, its signal fires after the end is decided, and how it ends is told", async () => {
  const told: HostAnswer<string>[] = [];
  const obeys = (signal: AbortSignal): Promise<string> =>
    new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
  const heard = Promise.withResolvers<void>();
  const after = (answer: HostAnswer<string>): void => {
    told.push(answer);
    heard.resolve();
  };
  expect(await callHost(obeys, { limit: 5, after })).toEqual({ how: "late" });
  await heard.promise;
  expect(told).toMatchObject([{ how: "threw", error: { name: "TimeoutError" } }]);
  expect(await callHost(() => never, { limit: 5 })).toEqual({ how: "late" });
});

test("a call whose caller stops is not waited for, and not begun when its caller has stopped before", async () => {
  const caller = new AbortController();
  const signals: AbortSignal[] = [];
  const call = callHost(
    (signal) => {
      signals.push(signal);
      return never;
    },
    { limit: 60_000, signal: caller.signal },
  );
  caller.abort("enough");
  expect(await call).toEqual({ how: "stopped" });
  expect(signals.map((signal): unknown => signal.reason)).toEqual(["enough"]);
  const begun = callHost(() => expect.fail("begun"), { limit: 60_000, signal: caller.signal });
  expect(await begun).toEqual({ how: "stopped" });
});
