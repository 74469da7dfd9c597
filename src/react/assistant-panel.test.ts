import { createElement } from "react";
import { renderToString } from "react-dom/server";
import { expect, test } from "vitest";
import { AssistantPanel } from "./assistant-panel.tsx";

test("a server can draw the panel: empty, with no inline style, asking nobody", () => {
  const html = renderToString(createElement(AssistantPanel, { baseUrl: "/assistant", locale: "ru" }));
  expect(html).toContain("Чем помочь?");
  expect(html).not.toContain("style=");
  expect(html).not.toContain("<style");
});
