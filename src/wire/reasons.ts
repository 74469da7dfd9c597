/** Every reason and code that crosses between server and browser: closed unions, pinned by a test. */

/** Why a session may not act in the assistant at all, in the order in which it is looked at. */
export type ActRefusal =
  | "session_invalid"
  | "session_unavailable"
  | "impersonated"
  | "not_allowed"
  | "assistant_off"
  | "not_found";

/** Why core does not let a call through, in the order of its checks. */
export type CheckCode =
  | "session_invalid"
  | "session_unavailable"
  | "impersonated"
  | "unknown_tool"
  | "module_off"
  | "writes_off"
  | "out_of_scope"
  | "forbidden"
  | "rate_limited"
  | "invalid_input";

/** Why the guard of the model layer says no. */
export type GuardRefusal = "budget_user" | "budget_total" | "ai_off" | "suspended" | "no_price" | "no_endpoint";

/** Why a turn did not start. Nothing was stored. */
export type StartRefusal =
  | ActRefusal
  | "empty_message"
  | "message_too_long"
  | "turn_running"
  | "click_in_flight"
  | "attachment_invalid"
  | "turn_limit"
  | "shutting_down"
  | GuardRefusal;

/** Why a turn could not be stopped. */
export type StopRefusal = ActRefusal | "not_running";

/** Why a click did nothing. `refused` comes with core's code (a `CheckCode`, `mismatch`, `preview_failed`, or a tool's own). */
export type ClickRefusal =
  | ActRefusal
  | "not_waiting"
  | "not_expired"
  | "already_waiting"
  | "turn_running"
  | "click_running"
  | "no_arguments"
  | "not_stored"
  | "shutting_down"
  | "refused";

/** Why a call of a model failed, whatever the provider. */
export type ModelErrorCode =
  | "auth_failed"
  | "permission_denied"
  | "payment_required"
  | "model_not_found"
  | "rate_limited"
  | "context_overflow"
  | "request_too_large"
  | "image_not_supported"
  | "image_rejected"
  | "content_filtered"
  | "answer_refused"
  | "tools_not_supported"
  | "history_rejected"
  | "provider_malformed_call"
  | "provider_overloaded"
  | "provider_error"
  | "provider_unreachable"
  | "stream_interrupted"
  | "stream_malformed"
  | "timeout"
  | "bad_request"
  | "api_error";

/** What a notice of a turn says. A card's notice has no code but an outcome (`CardOutcome`). */
export type NoticeCode =
  | "session_ended"
  | "session_unavailable"
  | "impersonated"
  | "not_allowed"
  | "assistant_off"
  | "stopped"
  | "deadline"
  | "interrupted"
  | "empty_answer"
  | "answer_truncated"
  | "round_limit"
  | "pictures_not_seen"
  | "pictures_taken_back"
  | GuardRefusal
  | ModelErrorCode;

/** What became of a card: the five words. */
export const cardOutcomes = ["confirmed", "rejected", "expired", "changed", "failed"] as const;
export type CardOutcome = (typeof cardOutcomes)[number];

/** Why a request itself was refused, before or beside what it asks for. */
export type RequestRefusal =
  | "unknown_route"
  | "method_not_allowed"
  | "header_missing"
  | "origin_refused"
  | "content_type_refused"
  | "body_too_large"
  | "body_invalid"
  | "query_invalid"
  | "unavailable"
  | "internal";

/** Why a setting could not be set by its user. */
export type SettingRefusal = "unknown_setting" | "not_settable" | "out_of_bounds";

/** Why a file could not be read; it can be removed, and after `interrupted` read again. */
export const attachmentCodes = [
  "unreadable",
  "too_large",
  "encrypted",
  "unsupported_type",
  "timeout",
  "interrupted",
] as const;
export type AttachmentCode = (typeof attachmentCodes)[number];

/** Why a file was not taken, or nothing could be done with it. */
export type AttachmentRefusal =
  | ActRefusal
  | "file_empty"
  | "file_too_large"
  | "too_many_files"
  | "too_much_waiting"
  | "upload_broken"
  | "file_sent"
  | "file_not_readable"
  | "shutting_down";

/** Every `code` of a problem document. */
export type ProblemCode =
  | RequestRefusal
  | AttachmentRefusal
  | ActRefusal
  | StartRefusal
  | StopRefusal
  | ClickRefusal
  | SettingRefusal
  | "title_invalid";
