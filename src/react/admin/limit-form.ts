import type { AdminLimit, AdminLimits, AdminValue } from "../../wire/admin.ts";

export type LimitGroup = "switches" | "budgets" | "turns" | "texts" | "purpose" | "endpoints" | "files" | "keeping";

const groups: Readonly<Record<string, LimitGroup>> = {
  assistantOn: "switches",
  aiOn: "switches",
  captureContent: "switches",
  siteBudgetDay: "budgets",
  siteBudgetMonth: "budgets",
  userBudgetDay: "budgets",
  userBudgetMonth: "budgets",
  messageChars: "texts",
  toolResultChars: "texts",
  historyChars: "texts",
  offPurposeLimit: "purpose",
  offPurposeWindow: "purpose",
  endpoint: "endpoints",
  pictureEndpoint: "endpoints",
  offeredEndpoints: "endpoints",
  attachmentBytes: "files",
  attachmentsPerMessage: "files",
  attachmentsWaitingBytes: "files",
  attachmentChars: "files",
  attachmentTypes: "files",
  keepChatsFor: "keeping",
  keepJournalFor: "keeping",
};

const order: readonly LimitGroup[] = [
  "switches",
  "budgets",
  "turns",
  "endpoints",
  "purpose",
  "texts",
  "files",
  "keeping",
];

/** The fields of a form by what they are about; a field nobody sorted stands with the limits of turns. */
export function toGroups(fields: readonly AdminLimit[]): readonly (readonly [LimitGroup, readonly AdminLimit[]])[] {
  const sorted = Map.groupBy(fields, ({ key }) => new Map(Object.entries(groups)).get(key) ?? "turns");
  return order.flatMap((group) => {
    const found = sorted.get(group);
    return found === undefined ? [] : [[group, found] as const];
  });
}

/** What a user of the form typed, by key; null takes a value back. */
export type Draft = ReadonlyMap<string, AdminValue>;

/** A draft with one more change; one that says what is stored anyway is none. */
export function withDraft(draft: Draft, field: AdminLimit, value: AdminValue): Draft {
  const next = new Map(draft);
  const isStored = value === null ? !field.isSet : field.isSet && field.own === value;
  if (isStored) next.delete(field.key);
  else next.set(field.key, value);
  return next;
}

/** What is sent: the fields that were touched, each with the version it was read with. */
export function toSave(form: AdminLimits, draft: Draft): object {
  const touched = form.fields.filter(({ key }) => draft.has(key));
  return {
    ...(form.userId !== null && { userId: form.userId }),
    changes: Object.fromEntries(draft),
    versions: Object.fromEntries(touched.map(({ key, version }) => [key, version])),
  };
}
