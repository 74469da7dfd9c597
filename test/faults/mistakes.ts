import { v7 as uuid } from "uuid";
import { tellCard } from "../../src/chat/tell-card.sql.ts";
import type { Database } from "../../src/database/database.ts";
import { sql, type Statement } from "../../src/database/sql.ts";
import type { Mistake } from "./node-setup.ts";
import { texts } from "./statements.ts";

/** A node that was built wrongly, by what stands between its rooms and the database. */
export function mistaken(database: Database, mistake: Mistake | undefined): Database {
  switch (mistake) {
    case undefined:
      return database;
    case "spend after the handler":
      return spendingLate(database);
    case "no fence":
      return unfenced(database);
    case "notice before the spend":
      return tellingEarly(database);
    case "keeping stopped":
      return neverKeeping(database);
  }
}

/** Says that a row is spent, and spends it only when its handler has ended. */
function spendingLate(database: Database): Database {
  const late: Statement[] = [];
  return {
    ...database,
    async query(statement) {
      if (statement.text === texts.spend) {
        late.push(statement);
        return [{ done: true, status: "held", replacedBy: null }] as never;
      }
      if (statement.text === texts.handlerEnd) for (const spend of late.splice(0)) await database.query(spend);
      return database.query(statement);
    },
  };
}

const fence =
  /update locks set kept_at = clock_timestamp\(\)\s+where user_id = \$(\d+) and token = \$(\d+)::uuid\s+returning turn_id, stop_requested_at is not null as stop_requested/;

function unfence(statement: Statement): Statement {
  const text = statement.text.replace(
    fence,
    "select id as turn_id, false as stop_requested from turns where user_id = $$$1 and token = $$$2::uuid",
  );
  return text === statement.text ? statement : { ...statement, name: `${statement.name}_unfenced`, text };
}

/** Stores a turn's messages whoever holds its user's lock, and never hears that it is another's. */
function unfenced(database: Database): Database {
  return {
    ...database,
    async query(statement) {
      if (statement.text === texts.keep) {
        await database.query(statement);
        return [{ stop_requested: false }] as never;
      }
      return database.query(unfence(statement));
    },
    together: (statements, options) => database.together(statements.map(unfence), options),
  };
}

/** Tells that a card was confirmed before its row is spent. */
function tellingEarly(database: Database): Database {
  return {
    ...database,
    async query(statement) {
      if (statement.text === texts.spend) {
        const [userId, confirmationId] = statement.values.map(String);
        const [card] = await database.query<{ conversation_id: string; tool_name: string }>(
          sql`select conversation_id, tool_name from messages where user_id = ${userId} and confirmation_id = ${confirmationId}::uuid and role = 'tool'`,
        );
        if (card !== undefined && userId !== undefined && confirmationId !== undefined) {
          const place = { userId, conversationId: card.conversation_id, confirmationId, tool: card.tool_name };
          const told = { outcome: "confirmed", finished: true, nextConfirmationId: null, releaseToken: null };
          await database.query(tellCard({ ...place, ...told, noticeId: uuid(), nextCardId: uuid() }));
        }
      }
      return database.query(statement);
    },
  };
}

/** Answers every keep as if it had been done. */
function neverKeeping(database: Database): Database {
  return {
    ...database,
    query(statement) {
      if (statement.text === texts.keep) return Promise.resolve([{ stop_requested: false }] as never);
      return database.query(statement);
    },
  };
}
