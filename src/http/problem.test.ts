import { expect, test } from "vitest";
import { problems, toProblem, toProblemResponse } from "./problem.ts";

test("every reason has a status of its kind and a title without a user's words", () => {
  for (const [status, title] of Object.values(problems)) {
    expect(status).toBeGreaterThanOrEqual(400);
    expect(title).toMatch(/^[A-Z].*\.$|^A request .*: 1\.$/);
  }
});

test("the statuses are pinned", () => {
  const byStatus = Map.groupBy(Object.entries(problems), ([, [status]]) => status);
  const pinned = Object.fromEntries([...byStatus].map(([status, entries]) => [status, entries.map(([code]) => code)]));
  expect(pinned).toEqual({
    400: ["body_invalid", "query_invalid", "upload_broken"],
    401: ["session_invalid"],
    403: [
      "header_missing",
      "origin_refused",
      "impersonated",
      "not_allowed",
      "assistant_off",
      "not_settable",
      "ai_off",
      "suspended",
      "manage_not_allowed",
    ],
    404: ["unknown_route", "not_found", "unknown_endpoint", "unknown_module"],
    405: ["method_not_allowed"],
    409: [
      "too_many_files",
      "too_much_waiting",
      "file_sent",
      "file_not_readable",
      "turn_running",
      "click_in_flight",
      "click_running",
      "not_running",
      "not_waiting",
      "not_expired",
      "already_waiting",
      "no_arguments",
      "not_stored",
      "changed_meanwhile",
      "name_in_code",
      "name_taken",
    ],
    413: ["body_too_large", "file_too_large"],
    415: ["content_type_refused"],
    422: [
      "empty_message",
      "message_too_long",
      "attachment_invalid",
      "file_empty",
      "title_invalid",
      "unknown_setting",
      "out_of_bounds",
      "refused",
      "invalid_endpoint",
      "no_secret",
      "address_refused",
      "variable_refused",
      "key_needed",
    ],
    429: ["turn_limit", "budget_user", "budget_total"],
    500: ["internal"],
    503: ["unavailable", "session_unavailable", "shutting_down", "no_price", "no_endpoint"],
  });
});

test("a held lock is told with its chat and when to come again", async () => {
  const holder = { kind: "turn", conversationId: "c", turnId: "t", cardId: null, retryAfter: 2.2 } as const;
  const response = toProblemResponse({ ok: false, reason: "turn_running", holder }, {});
  expect(response.status).toBe(409);
  expect(response.headers.get("retry-after")).toBe("3");
  expect(response.headers.get("content-type")).toBe("application/problem+json");
  expect(await response.json()).toEqual({
    type: "about:blank",
    title: "A turn of this user runs.",
    status: 409,
    code: "turn_running",
    conversationId: "c",
    retryAfter: 2.2,
  });
});

test("a tool's own refusal is told with its code and its sentence", () => {
  const problem = toProblem({ ok: false, reason: "refused", code: "already_paid", sentence: "It is paid." });
  expect(problem).toMatchObject({ status: 422, code: "refused", detailCode: "already_paid", detail: "It is paid." });
});
