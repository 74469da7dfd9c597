import { createElement } from "react";
import { createRoot } from "react-dom/client";
import type { Root } from "react-dom/client";
import { AssistantPanel } from "./assistant-panel.tsx";

// `countersign/panel.js`: the panel for a page without React. One script tag, then
// <countersign-panel base-url="/assistant" lang="en" theme="dark">.

/** The panel as an element, in a shadow root of its own. Its attributes are the panel's properties; `confirmed` bubbles when a change was run. */
class CountersignPanel extends HTMLElement {
  static readonly observedAttributes: readonly string[] = ["base-url", "lang", "theme"];
  #root: Root | null = null;

  connectedCallback(): void {
    const shadow = this.shadowRoot ?? this.attachShadow({ mode: "open" });
    this.#root ??= createRoot(shadow);
    this.#draw();
  }

  disconnectedCallback(): void {
    // An element that only moves is connected again at once.
    queueMicrotask(() => {
      if (this.isConnected) return;
      this.#root?.unmount();
      this.#root = null;
    });
  }

  attributeChangedCallback(): void {
    this.#draw();
  }

  #draw(): void {
    const baseUrl = this.getAttribute("base-url");
    if (this.#root === null || baseUrl === null) return;
    const theme = this.getAttribute("theme");
    const locale = this.getAttribute("lang");
    this.#root.render(
      createElement(AssistantPanel, {
        baseUrl,
        ...(theme === "light" || theme === "dark" ? { theme } : {}),
        ...(locale ? { locale } : {}),
        onConfirmed: (detail) => {
          this.dispatchEvent(new CustomEvent("confirmed", { detail, bubbles: true, composed: true }));
        },
      }),
    );
  }
}

if (!customElements.get("countersign-panel")) customElements.define("countersign-panel", CountersignPanel);
