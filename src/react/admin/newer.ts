import type { Answer } from "../../client/request.ts";
import type { ChangedMeanwhile } from "../../wire/admin.ts";

/** What goes with a refusal because somebody else changed a form: how it is now. Null for any other answer. */
export function newerOf<Form>(answer: Answer<Form>): ChangedMeanwhile<Form> | null {
  if (answer.ok || answer.failure.code !== "changed_meanwhile" || !("newer" in answer.failure)) return null;
  // A parsed edge: the server's answers are typed by `wire`.
  return answer.failure.newer as ChangedMeanwhile<Form>;
}
