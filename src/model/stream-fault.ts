/** Our own guard over a provider's stream ended it; found again in the `cause` chain of whatever the package throws. */
export class StreamFault extends Error {
  readonly fault: "idle" | "total" | "too_large" | "address" | "not_a_stream";
  constructor(fault: StreamFault["fault"], message: string) {
    super(message);
    this.name = "StreamFault";
    this.fault = fault;
  }
}
