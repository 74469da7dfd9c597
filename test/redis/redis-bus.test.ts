import { afterAll, beforeAll, beforeEach, afterEach, describe, expect, test } from "vitest";
import type { Bus } from "../../src/database/bus.ts";
import { createRedisBus } from "../../src/redis/redis-bus.ts";
import { noRedis, startRedis, type RedisServer } from "./redis-server.ts";

const skipped = noRedis === null ? "" : ` (skipped: ${noRedis})`;

describe.skipIf(noRedis !== null)(`A bus over Redis${skipped}`, () => {
  let redis: RedisServer;
  const buses: Bus[] = [];
  const bus = (prefix?: string): Bus => {
    const made = createRedisBus({ url: redis.url, prefix });
    buses.push(made);
    return made;
  };
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterEach(async () => {
    for (const one of buses.splice(0)) await one.close();
  });
  afterAll(() => redis.kill());

  /** A bus that hears a channel, and what it heard. */
  async function ear(channel: string, on = bus()) {
    const heard: string[] = [];
    const told = { missed: 0, stop: async () => {} };
    told.stop = await on.subscribe(
      channel,
      (hint) => void heard.push(hint),
      () => (told.missed += 1),
    );
    return { on, heard, told };
  }
  const numbers = Array.from({ length: 500 }, (_, n) => String(n));

  test("brings the hints of a node in the order they were published in, to every node that listens", async () => {
    const [one, other] = [await ear("chats"), await ear("chats")];
    const teller = bus();
    for (const hint of numbers) teller.publish("chats", hint);
    await expect.poll(() => one.heard.at(-1)).toBe("499");
    await expect.poll(() => other.heard.at(-1)).toBe("499");
    expect(one.heard).toEqual(numbers);
    expect(other.heard).toEqual(numbers);
  });

  test("takes the largest hint, and keeps channels and prefixes apart", async () => {
    const [large, channel, prefix] = [await ear("large"), await ear("other"), await ear("large", bus("elsewhere"))];
    const largest = "ä".repeat(3_999);
    bus().publish("large", largest);
    await expect.poll(() => large.heard).toEqual([largest]);
    expect([channel.heard, prefix.heard]).toEqual([[], []]);
  });

  test("a listener that throws disturbs no other, and one that stopped hears no more", async () => {
    const on = bus();
    await on.subscribe("noisy", () => {
      throw new Error("bad listener");
    });
    const [gone, stays] = [await ear("noisy", on), await ear("noisy", on)];
    await gone.told.stop();
    bus().publish("noisy", "x");
    await expect.poll(() => stays.heard).toEqual(["x"]);
    expect(gone.heard).toEqual([]);
  });

  test("that is closed hears and tells nothing, and throws nothing", async () => {
    const one = await ear("closed");
    await one.on.close();
    await one.on.close();
    one.on.publish("closed", "x");
    await expect(one.on.subscribe("closed", () => {})).rejects.toThrow("the bus is closed");
    const never = bus();
    await never.close();
  });

  describe("whose Redis is away", () => {
    beforeEach(() => redis.kill());
    afterEach(() => redis.start());

    test("can be closed, and subscribing ends with it", async () => {
      const away = bus();
      away.publish("away", "x");
      const subscribing = away.subscribe("away", () => {});
      await Promise.all([away.close(), expect(subscribing).rejects.toThrow("the bus is closed")]);
    });
  });

  test("comes back after its Redis was killed, says that hints may have been missed, and hears again", async () => {
    const [one, teller] = [await ear("back"), bus()];
    teller.publish("back", "before");
    await expect.poll(() => one.heard).toEqual(["before"]);
    await redis.kill();
    const early = bus();
    const waiting = ear("back", early);
    await redis.start();
    await expect.poll(() => one.told.missed).toBeGreaterThan(0);
    const other = await waiting;
    await expect
      .poll(() => {
        teller.publish("back", "after");
        return one.heard.includes("after") && other.heard.includes("after");
      })
      .toBe(true);
  });
});
