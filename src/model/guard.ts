import { randomUUID } from "node:crypto";
import type { Statement } from "../database/sql.ts";
import { invariant, refused, type Outcome } from "../outcome.ts";
import type { SettingValues } from "../settings/schema.ts";
import type { GuardRefusal } from "../wire/reasons.ts";
import type { Limits } from "./journal.sql.ts";
import type { Admission } from "./model.ts";
import { readStanding, type Standing } from "./spend.sql.ts";

/** The limits in force for a user: their own value, else the site's default for users, else none. */
export function limitsOf(values: SettingValues): Limits {
  return {
    userDay: toMicros(values.userBudgetDay),
    userMonth: toMicros(values.userBudgetMonth),
    siteDay: toMicros(values.siteBudgetDay),
    siteMonth: toMicros(values.siteBudgetMonth),
    flagLimit: values.offPurposeLimit,
    flagWindowSeconds: values.offPurposeWindow,
  };
}

export function hasBudget(limits: Limits): boolean {
  return [limits.userDay, limits.userMonth, limits.siteDay, limits.siteMonth].some((limit) => limit !== null);
}

/** What to ask of the database before a user may begin a turn, and how its answer is judged: asked before there is a prompt, so a budget refuses only once it is used up. */
export function consider(
  values: SettingValues,
  who: { readonly userId: string; readonly task: string; readonly priced: boolean },
): {
  readonly statement: Statement | null;
  judge(rows: readonly object[]): Outcome<{ readonly admission: Admission }, GuardRefusal>;
} {
  const limits = limitsOf(values);
  const budgeted = hasBudget(limits);
  const asks = values.aiOn && (budgeted || limits.flagLimit > 0);
  return {
    statement: asks ? readStanding(who.userId, limits) : null,
    judge(rows) {
      if (!values.aiOn) return refused("ai_off");
      if (asks) {
        // The one row of the statement above.
        const [standing] = rows as readonly Standing[];
        invariant(standing !== undefined, "a standing always has its row");
        if (limits.flagLimit > 0 && standing.flags >= limits.flagLimit) return refused("suspended");
        if (budgeted && !who.priced) return refused("no_price");
        if (isUsedUp(standing.userDay, limits.userDay) || isUsedUp(standing.userMonth, limits.userMonth)) {
          return refused("budget_user");
        }
        if (isUsedUp(standing.siteDay, limits.siteDay) || isUsedUp(standing.siteMonth, limits.siteMonth)) {
          return refused("budget_total");
        }
      }
      return { ok: true, admission: { id: randomUUID(), userId: who.userId, task: who.task } };
    },
  };
}

function isUsedUp(taken: number, limit: number | null): boolean {
  return limit !== null && taken >= limit;
}

function toMicros(dollars: number | null): number | null {
  return dollars === null ? null : Math.floor(dollars * 1e6);
}
