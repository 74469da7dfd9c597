export { createRedisBus } from "./redis-bus.ts";
export type { RedisBusOptions } from "./redis-bus.ts";
