import { expect, test } from "vitest";
import { createSeal } from "./seal.ts";

const secret = "a secret of at least thirty-two characters";

test("a sealed key is opened in its place, and is not in what is stored", () => {
  const seal = createSeal(secret);
  const sealed = seal.seal("sk-live-1", "main");
  expect(seal.open(sealed, "main")).toBe("sk-live-1");
  expect(createSeal(secret).open(sealed, "main")).toBe("sk-live-1");
  expect(sealed.toString("latin1")).not.toContain("sk-live");
  expect(seal.seal("sk-live-1", "main").equals(sealed)).toBe(false);
});

test("moved, changed or under another secret it stays shut", () => {
  const seal = createSeal(secret);
  const sealed = seal.seal("sk-live-1", "main");
  expect(seal.open(sealed, "other")).toBeNull();
  expect(createSeal(`${secret}!`).open(sealed, "main")).toBeNull();
  for (const at of [0, 5, 20, sealed.length - 1]) {
    const changed = Buffer.from(sealed);
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect(seal.open(changed, "main")).toBeNull();
  }
  expect(seal.open(sealed.subarray(0, 20), "main")).toBeNull();
});

test("a short secret is refused", () => {
  expect(() => createSeal("short")).toThrow("expected at least 32 characters, got 5");
});
