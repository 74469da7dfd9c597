// A node process of the fault runs. The clock is shifted before anything else is loaded.
import { setupVariable, type NodeSetup } from "./node-setup.ts";

// Written by the process that starts this one.
const setup = JSON.parse(process.env[setupVariable] ?? "{}") as NodeSetup;

if (setup.clockShiftMs !== 0) {
  const Real = Date;
  const now = (): number => Real.now() + setup.clockShiftMs;
  globalThis.Date = new Proxy(Real, {
    construct: (target, given: []) => (given.length === 0 ? new target(now()) : new target(...given)),
    get: (target, key, receiver): unknown => (key === "now" ? now : Reflect.get(target, key, receiver)),
  });
}

// Whoever started it is gone: so is this.
process.on("disconnect", () => process.exit(1));

const { runNode } = await import("./run-node.ts");
await runNode(setup);
