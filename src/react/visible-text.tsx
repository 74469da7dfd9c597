import type { ReactNode } from "react";
import { usePanel } from "./panel-context.ts";
import { toVisibleParts } from "./visible-parts.ts";

/** Text that somebody else wrote, as text: apart from the direction of what stands around it, and with nothing in it unseen. */
export function VisibleText({ text }: { readonly text: string }): ReactNode {
  const { marks } = usePanel().language;
  const parts = toVisibleParts(text);
  return (
    <bdi dir="auto">
      {parts.map((part, index) => {
        if (part.kind === "text") return part.text;
        const name = part.count > 1 ? marks.many(part.count) : `${marks[part.mark]}: ${part.label}`;
        return (
          // Parts never change places: their index is their identity.
          // oxlint-disable-next-line react/no-array-index-key
          <span key={index} className="cs-mark" data-mark={part.mark} role="img" aria-label={name} title={name}>
            {part.count > 1 ? `×${part.count}` : part.label}
          </span>
        );
      })}
    </bdi>
  );
}
