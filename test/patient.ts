/** For `expect.poll`: long enough for a machine with much else to do. What is waited for is an event, never a time. */
export const patient = { timeout: 20_000 } as const;
