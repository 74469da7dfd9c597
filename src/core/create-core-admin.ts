import { toPage } from "../database/page-cursor.ts";
import type { CoreAdmin } from "./core-admin.ts";
import type { CoreRoom } from "./room.ts";
import type { Module } from "./tool.ts";
import { lookedAt, pageCalls, selectToolCalls, type ToolCallPageRow } from "./tool-call-pages.sql.ts";

export function createCoreAdmin(room: CoreRoom, modules: readonly Module[]): CoreAdmin {
  const views = modules.map(({ key, title, sessionWrites, tools }) => ({
    key,
    title,
    defaults: { on: true, writes: sessionWrites },
    tools: tools.map((tool) => ({
      name: `${key}.${tool.name}`,
      title: room.registry.get(`${key}.${tool.name}`)?.title ?? tool.name,
      description: tool.description,
      kind: tool.kind,
      permission: tool.permission,
      scope: tool.scope ?? null,
    })),
  }));
  return {
    modules: () => views,
    async toolCalls(page) {
      const found = await room.database.query<ToolCallPageRow>(selectToolCalls(page));
      const { rows, next } = toPage(found, { page: pageCalls, looked: lookedAt(page) });
      return { calls: rows.map(({ cursor: _cursor, seen: _seen, last: _last, ...call }) => call), next };
    },
  };
}
