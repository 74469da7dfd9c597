import { expect, test } from "vitest";
import { foreignRequest, toOrigins } from "./same-origin.ts";

const none = toOrigins([]);

function post(headers: Record<string, string>): Request {
  return new Request("http://app.example.com/assistant/conversations", { method: "POST", headers });
}

test.each([
  ["https://app.example.com", "app.example.com"],
  ["https://app.example.com", "app.example.com:443"],
  ["http://localhost:3000", "localhost:3000"],
  ["http://[::1]:3000", "[::1]:3000"],
])("a page of the request's own host may change something: %s to %s", (origin, host) => {
  expect(foreignRequest(post({ "x-countersign": "1", origin, host }), none)).toBeNull();
});

test.each([
  ["https://evil.example.com", "app.example.com"],
  ["https://app.example.com.evil.example", "app.example.com"],
  ["http://localhost:3001", "localhost:3000"],
  ["https://app.example.com:8443", "app.example.com"],
  ["null", "app.example.com"],
  ["file://app.example.com", "app.example.com"],
  ["not an origin", "app.example.com"],
])("another origin may not: %s to %s", (origin, host) => {
  expect(foreignRequest(post({ "x-countersign": "1", origin, host }), none)).toBe("origin_refused");
});

test("a missing origin is refused", () => {
  expect(foreignRequest(post({ "x-countersign": "1", host: "app.example.com" }), none)).toBe("origin_refused");
});

test.each([{}, { "x-countersign": "0" }, { "x-countersign": "" }] as Record<string, string>[])(
  "a missing or other header is refused whatever the origin: %o",
  (headers) => {
    const request = post({ ...headers, origin: "http://app.example.com", host: "app.example.com" });
    expect(foreignRequest(request, none)).toBe("header_missing");
  },
);

test("a forwarded host is not believed; a listed origin is", () => {
  const headers = { "x-countersign": "1", origin: "https://app.example.com", host: "10.0.0.7:8080" };
  expect(foreignRequest(post({ ...headers, "x-forwarded-host": "app.example.com" }), none)).toBe("origin_refused");
  expect(foreignRequest(post(headers), toOrigins(["https://app.example.com"]))).toBeNull();
});

test.each(["app.example.com", "https://app.example.com/", "https://app.example.com/path", ""])(
  "a listed origin that is none is refused at start-up: %s",
  (origin) => {
    expect(() => toOrigins([origin])).toThrow(/allowedOrigins: expected an origin/);
  },
);
