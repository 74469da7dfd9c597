import { expect, test } from "vitest";
import { createEventStream } from "./event-stream.ts";

const text = (bytes: Uint8Array | undefined): string => new TextDecoder().decode(bytes);

test("frames arrive whole and in order, and the stream ends after the last", async () => {
  const stream = createEventStream(1_000);
  stream.send("a");
  stream.send("ü");
  const reader = stream.body.getReader();
  expect(text((await reader.read()).value)).toBe("aü");
  const waiting = reader.read();
  stream.send("c");
  expect(text((await waiting).value)).toBe("c");
  stream.send("d");
  stream.end();
  expect(stream.send("e")).toBe(false);
  expect(text((await reader.read()).value)).toBe("d");
  expect((await reader.read()).done).toBe(true);
});

test("a reader that does not read is never sent more than its backlog", async () => {
  const stream = createEventStream(10);
  expect(stream.send("1234567")).toBe(true);
  expect(stream.send("8901")).toBe(false);
  expect(stream.send("890")).toBe(true);
  const reader = stream.body.getReader();
  expect(text((await reader.read()).value)).toBe("1234567890");
  expect(stream.send("again")).toBe(true);
});

test("what was read counts no more, however much it was", async () => {
  const stream = createEventStream(100_000);
  const reader = stream.body.getReader();
  let got = 0;
  for (let round = 0; round < 20; round++) {
    expect(stream.send("x".repeat(90_000))).toBe(true);
    got += (await reader.read()).value?.byteLength ?? 0;
  }
  expect(got).toBe(20 * 90_000);
});

test("a reader that fell behind is cut off, and what it did not read is dropped", async () => {
  const stream = createEventStream(10);
  stream.send("123");
  stream.cut();
  await expect(stream.body.getReader().read()).rejects.toMatchObject({ code: "ERR_STREAM_PREMATURE_CLOSE" });
  expect(stream.signal.aborted).toBe(true);
  expect(stream.send("x")).toBe(false);
});

test("a reader that goes away is told by the signal", async () => {
  const stream = createEventStream(10);
  expect(stream.signal.aborted).toBe(false);
  await stream.body.cancel();
  expect(stream.signal.aborted).toBe(true);
  expect(stream.send("x")).toBe(false);
  stream.end();
  stream.cut();
});
