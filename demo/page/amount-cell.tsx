import { useState, type ReactNode } from "react";
import type { Invoice } from "../office/modules/find-invoice.ts";
import { formatMoney } from "../office/money.ts";

/** An invoice's amount; an open one can be changed in place. */
export function AmountCell(props: {
  readonly invoice: Invoice;
  readonly editable: boolean;
  readonly onProblem: (problem: string | null) => void;
}): ReactNode {
  const { invoice, editable, onProblem } = props;
  const [draft, setDraft] = useState<string | null>(null);
  const shown = formatMoney(invoice.amountCents);
  if (!editable) return shown;
  if (draft === null) {
    return (
      <button
        type="button"
        className="amount"
        aria-label={`Amount of ${invoice.number}: ${shown}. Change`}
        onClick={() => setDraft((invoice.amountCents / 100).toFixed(2))}
      >
        {shown}
      </button>
    );
  }
  return (
    <form
      className="amount-form"
      onSubmit={(event) => {
        event.preventDefault();
        setDraft(null);
        void saveAmount(invoice.number, draft).then(onProblem);
      }}
    >
      <input
        aria-label={`New amount of ${invoice.number} in euros`}
        inputMode="decimal"
        value={draft}
        ref={takeFocus}
        onChange={(event) => setDraft(event.target.value)}
        onBlur={() => setDraft(null)}
        onKeyDown={(event) => {
          if (event.key === "Escape") setDraft(null);
        }}
      />
    </form>
  );
}

/** The field stands where the button was that had the focus. */
function takeFocus(field: HTMLInputElement | null): void {
  field?.focus();
  field?.select();
}

/** Saves an amount; answers what went wrong, for people. The changed row comes by itself. */
async function saveAmount(number: string, text: string): Promise<string | null> {
  const amountCents = Math.round(Number(text.replace(",", ".").replaceAll(/[\s€]/g, "")) * 100);
  const answer = await fetch(`/invoices/${number}/amount`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ amountCents }),
  });
  if (answer.ok) return null;
  const { problem } = (await answer.json()) as { readonly problem?: string };
  return problem ?? "The amount was not saved.";
}
