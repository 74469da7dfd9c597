import type pg from "pg";
import { defineModule, readTool, writeTool, type Module } from "countersign";
import { z } from "zod";
import { formatDate, formatMoney } from "../money.ts";
import { findInvoices, findOpenInvoice } from "./find-invoice.ts";
import { writeOnce } from "./write-once.ts";

const invoiceNumber = z.string().min(1).max(20).describe("The invoice's number, INV-1042 say");

/** Invoices: finding them, voiding them, taking a payment, and a reminder that cannot be sent from here. */
export function billingModule(pool: pg.Pool): Module {
  return defineModule({
    key: "billing",
    title: "Billing",
    sessionWrites: true,
    tools: [
      readTool({
        name: "invoices_find",
        title: "Find invoices",
        description: "Finds invoices by customer or number, and status. “open” has the overdue ones with it.",
        permission: "billing.read",
        input: z.object({
          customer: z.string().max(100).optional().describe("A customer's name, a part of it, or an invoice's number"),
          status: z.enum(["open", "overdue", "paid", "void"]).optional(),
        }),
        async run(ctx, where) {
          const found = await findInvoices(pool, where);
          const owed = found.filter((invoice) => invoice.status === "open" || invoice.status === "overdue");
          const total = owed.reduce((sum, invoice) => sum + invoice.amountCents, 0);
          return {
            invoices: found.map(({ number, customer, subject, amountCents, dueOn, status }) => {
              return { number, customer, subject, amount: formatMoney(amountCents, ctx.locale), due: dueOn, status };
            }),
            totalOwed: formatMoney(total, ctx.locale),
          };
        },
      }),
      writeTool({
        name: "invoice_void",
        title: "Void an invoice",
        description: "Voids an open invoice: the customer no longer owes it. It cannot be taken back.",
        permission: "billing.write",
        input: z.object({ number: invoiceNumber, reason: z.string().max(200).optional() }),
        async preview(ctx, { number: named, reason }) {
          const invoice = await findOpenInvoice(pool, named);
          if ("refusal" in invoice) return invoice;
          return {
            title: `Void ${invoice.number} of ${invoice.customer}`,
            changes: [
              { label: "Status", before: invoice.status, after: "void" },
              {
                label: "Amount owed",
                before: formatMoney(invoice.amountCents, ctx.locale),
                after: formatMoney(0, ctx.locale),
              },
              ...(reason === undefined ? [] : [{ label: "Reason", before: null, after: reason }]),
            ],
            warnings: ["A void invoice cannot be opened again."],
            data: { number: invoice.number, version: invoice.version },
          };
        },
        async run(ctx, { reason }) {
          const seen = ctx.preview.data;
          await writeOnce(pool, {
            ctx,
            tool: "billing.invoice_void",
            work: async (on) => {
              const { rowCount } = await on.query(
                `update invoices set status = 'void', void_reason = $3, version = version + 1
                 where number = $1 and version = $2 and status = 'open'`,
                [seen?.number, seen?.version, reason ?? null],
              );
              return rowCount;
            },
          });
          return { voided: seen?.number };
        },
      }),
      writeTool({
        name: "invoice_mark_paid",
        title: "Mark an invoice as paid",
        description: "Marks an open invoice as paid in full, as of today.",
        permission: "billing.write",
        input: z.object({ number: invoiceNumber }),
        async preview(ctx, { number: named }) {
          const invoice = await findOpenInvoice(pool, named);
          if ("refusal" in invoice) return invoice;
          return {
            title: `Mark ${invoice.number} of ${invoice.customer} as paid`,
            changes: [
              { label: "Status", before: invoice.status, after: "paid" },
              {
                label: "Amount owed",
                before: formatMoney(invoice.amountCents, ctx.locale),
                after: formatMoney(0, ctx.locale),
              },
            ],
            data: { number: invoice.number, version: invoice.version },
          };
        },
        async run(ctx) {
          const seen = ctx.preview.data;
          await writeOnce(pool, {
            ctx,
            tool: "billing.invoice_mark_paid",
            work: async (on) => {
              const { rowCount } = await on.query(
                `update invoices set status = 'paid', paid_on = current_date, version = version + 1
                 where number = $1 and version = $2 and status = 'open'`,
                [seen?.number, seen?.version],
              );
              return rowCount;
            },
          });
          return { paid: seen?.number };
        },
      }),
      writeTool({
        name: "reminder_send",
        title: "Send a payment reminder",
        description:
          "Sends the customer a reminder of an open invoice by e-mail. This demo reaches no mail server, so sending fails.",
        permission: "billing.write",
        input: z.object({ number: invoiceNumber }),
        async preview(ctx, { number: named }) {
          const invoice = await findOpenInvoice(pool, named);
          if ("refusal" in invoice) return invoice;
          return {
            title: `Remind ${invoice.customer} of ${invoice.number}`,
            changes: [
              { label: "E-mail to", before: null, after: invoice.email },
              { label: "Due", before: null, after: formatDate(invoice.dueOn, ctx.locale) },
              { label: "Reminders sent", before: invoice.reminders, after: invoice.reminders + 1 },
            ],
            warnings: ["This demo reaches no mail server: sending will fail, to show how a failed change is told."],
            data: { number: invoice.number, version: invoice.version },
          };
        },
        run() {
          throw new Error("the mail server is not reachable");
        },
      }),
    ],
  });
}
