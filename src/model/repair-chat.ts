/** The name the repair gives a call that has none, since the provider package would drop it without a trace. */
export const namelessCall = "countersign_nameless";
