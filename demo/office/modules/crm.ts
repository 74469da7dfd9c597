import type pg from "pg";
import { defineModule, readTool, refuse, writeTool, type Module } from "countersign";
import { z } from "zod";
import { formatMoney } from "../money.ts";
import { findCustomer, findCustomers } from "./find-customer.ts";
import { writeOnce } from "./write-once.ts";

/** Customers: finding them, and changing how they are reached and how much they may owe. */
export function crmModule(pool: pg.Pool): Module {
  return defineModule({
    key: "crm",
    title: "Customers",
    sessionWrites: true,
    tools: [
      readTool({
        name: "customers_find",
        title: "Find customers",
        description: "Finds customers by name, contact, e-mail or city. Without a query, lists all.",
        permission: "crm.read",
        input: z.object({
          query: z.string().max(100).optional().describe("A part of a name, contact, e-mail or city"),
        }),
        async run(ctx, { query }) {
          const found = await findCustomers(pool, query);
          return {
            customers: found.map(({ name, contact, email, phone, city, creditLimitCents }) => {
              return { name, contact, email, phone, city, creditLimit: formatMoney(creditLimitCents, ctx.locale) };
            }),
          };
        },
      }),
      writeTool({
        name: "customer_update",
        title: "Change a customer",
        description: "Changes a customer's e-mail, phone or credit limit. Only the fields given change.",
        permission: "crm.write",
        input: z.object({
          customer: z.string().min(1).max(100).describe("The customer's name, or a part that only one has"),
          email: z.email().max(200).optional(),
          phone: z.string().min(3).max(40).optional(),
          creditLimit: z.number().min(0).max(1_000_000).multipleOf(0.01).optional().describe("In euros"),
        }),
        async preview(ctx, { customer: named, email, phone, creditLimit }) {
          const customer = await findCustomer(pool, named);
          if ("refusal" in customer) return customer;
          const money = (cents: number): string => formatMoney(cents, ctx.locale);
          const limitCents = creditLimit === undefined ? undefined : Math.round(creditLimit * 100);
          const changes = [
            { label: "E-mail", before: customer.email, after: email ?? customer.email },
            { label: "Phone", before: customer.phone, after: phone ?? customer.phone },
            {
              label: "Credit limit",
              before: money(customer.creditLimitCents),
              after: money(limitCents ?? customer.creditLimitCents),
            },
          ].filter((change) => change.before !== change.after);
          if (changes.length === 0) return refuse("nothing_changes", `${customer.name} already reads so.`);
          return {
            title: `Change ${customer.name}`,
            changes,
            data: { id: customer.id, version: customer.version },
          };
        },
        async run(ctx, { email, phone, creditLimit }) {
          const seen = ctx.preview.data;
          const limitCents = creditLimit === undefined ? null : Math.round(creditLimit * 100);
          await writeOnce(pool, {
            ctx,
            tool: "crm.customer_update",
            work: async (on) => {
              const { rowCount } = await on.query(
                `update customers set email = coalesce($3, email), phone = coalesce($4, phone),
                   credit_limit_cents = coalesce($5, credit_limit_cents), version = version + 1
                 where id = $1 and version = $2`,
                [seen?.id, seen?.version, email ?? null, phone ?? null, limitCents],
              );
              return rowCount;
            },
          });
          return { changed: true };
        },
      }),
    ],
  });
}
