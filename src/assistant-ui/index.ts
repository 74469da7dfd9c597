export { CountersignProvider } from "./countersign-provider.tsx";
export type { CountersignProviderProps } from "./countersign-provider.tsx";
export { useCountersignRuntime } from "./use-countersign-runtime.ts";
export type { CountersignRuntimeOptions } from "./use-countersign-runtime.ts";
export { toCountersignToolkit } from "./toolkit.tsx";
