import type { Problem } from "../wire/api.ts";
import type { RouteReason, RouteRefusal } from "./route.ts";

/** What each reason is in HTTP: its status, and a title for developers. People read the panel's own sentences. */
export const problems = {
  unknown_route: [404, "There is no such route."],
  method_not_allowed: [405, "The route does not take this method."],
  header_missing: [403, "A request that changes something needs the header x-countersign: 1."],
  origin_refused: [403, "The Origin is missing or is not this site's."],
  content_type_refused: [415, "The body must be application/json."],
  body_too_large: [413, "The body is too large."],
  body_invalid: [400, "The body is not what this route takes."],
  query_invalid: [400, "The query is not what this route takes."],
  unavailable: [503, "The database cannot be reached; try again soon."],
  internal: [500, "Something failed on the server."],

  session_invalid: [401, "There is no live session."],
  session_unavailable: [503, "The session could not be looked up; try again soon."],
  impersonated: [403, "An impersonated session may not use the assistant."],
  not_allowed: [403, "This session may not use the assistant."],
  assistant_off: [403, "The assistant is switched off."],
  not_found: [404, "There is no such chat."],

  empty_message: [422, "The message is empty."],
  message_too_long: [422, "The message is too long."],
  attachment_invalid: [422, "A file cannot be sent with this message."],
  file_empty: [422, "The file is empty."],
  file_too_large: [413, "The file is larger than a file may be."],
  too_many_files: [409, "As many files wait in this chat as a message may have."],
  too_much_waiting: [409, "The user's files that were not sent yet take too much."],
  upload_broken: [400, "The file did not come whole."],
  file_sent: [409, "The file is part of a message."],
  file_not_readable: [409, "The file cannot be read again."],
  title_invalid: [422, "The title cannot be used."],
  unknown_setting: [422, "There is no such setting."],
  not_settable: [403, "A user cannot set this."],
  out_of_bounds: [422, "The value is outside its bounds."],

  turn_running: [409, "A turn of this user runs."],
  click_in_flight: [409, "A click of this user runs."],
  click_running: [409, "Another click of this user runs."],
  turn_limit: [429, "This user started too many turns."],
  shutting_down: [503, "The server is shutting down; try again soon."],

  budget_user: [429, "The user's budget is used up."],
  budget_total: [429, "The site's budget is used up."],
  ai_off: [403, "Calls of a model are switched off."],
  suspended: [403, "The user's turns are suspended."],
  no_price: [503, "A budget is in force and the model has no price."],
  no_endpoint: [503, "No model is set up."],

  not_running: [409, "The turn does not run."],
  not_waiting: [409, "The message is no card that waits."],
  not_expired: [409, "The card did not expire, or was asked for again already."],
  already_waiting: [409, "Another card waits for the same change."],
  no_arguments: [409, "The arguments of the call cannot be found."],
  not_stored: [409, "The chat took no notice: it was deleted meanwhile."],
  refused: [422, "The change was refused."],

  manage_not_allowed: [403, "This session may not manage the assistant."],
  changed_meanwhile: [409, "Somebody else changed this since it was read; `newer` has it as it is now."],
  invalid_endpoint: [422, "This is no endpoint: a field is missing or out of its bounds."],
  name_in_code: [409, "An endpoint of this name is declared in code and can only be changed there."],
  name_taken: [409, "There is an endpoint of this name already."],
  no_secret: [422, "A key can only be stored where COUNTERSIGN_SECRET is set."],
  address_refused: [422, "The address is private and `allowPrivateEndpoints` does not name it."],
  variable_refused: [422, "The variable is not the provider's own, and `credentialVariables` does not name it."],
  key_needed: [422, "The provider or the address changed: the key has to be given again."],
  unknown_endpoint: [404, "There is no such endpoint."],
  unknown_module: [404, "There is no such module."],
} as const satisfies Record<RouteReason, readonly [status: number, title: string]>;

const soon = 5;
const retryAfterSeconds: Partial<Record<RouteReason, number>> = {
  unavailable: soon,
  session_unavailable: soon,
  shutting_down: soon,
};

/** Makes the problem document of a refusal. The chat that holds a lock is only ever told to the lock's own user. */
export function toProblem(refusal: RouteRefusal): Problem {
  const { reason, code, sentence, outcome, finished, holder, newer } = refusal;
  const [status, title] = problems[reason];
  const retryAfter = refusal.retryAfter ?? holder?.retryAfter ?? retryAfterSeconds[reason];
  return {
    type: "about:blank",
    title,
    status,
    code: reason,
    ...(code !== undefined && { detailCode: code }),
    ...(sentence !== undefined && { detail: sentence }),
    ...(holder !== undefined && { conversationId: holder.conversationId }),
    ...(retryAfter !== undefined && { retryAfter }),
    ...(outcome !== undefined && { outcome }),
    ...(finished !== undefined && { finished }),
    ...(newer !== undefined && { newer }),
  };
}

/** The response of a problem. `Retry-After` says whole seconds, at least one. */
export function toProblemResponse(refusal: RouteRefusal, extraHeaders: Readonly<Record<string, string>>): Response {
  const problem = toProblem(refusal);
  const headers = new Headers({ ...extraHeaders, "content-type": "application/problem+json" });
  if (problem.retryAfter !== undefined) {
    headers.set("retry-after", String(Math.max(1, Math.ceil(problem.retryAfter))));
  }
  return new Response(JSON.stringify(problem), { status: problem.status, headers });
}
