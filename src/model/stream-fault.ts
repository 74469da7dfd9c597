/**
 * Our own guard over a provider's answer ended it; found again in the `cause` chain of whatever the provider's package
 * throws. `cut`: the
 * connection was lost in the middle. `address`: where the endpoint leads may not be reached. `not_a_stream`: something other than an answer came
 * with status 200.
 */
export class StreamFault extends Error {
  readonly fault: "idle" | "total" | "cut" | "too_large" | "address" | "not_a_stream";
  constructor(fault: StreamFault["fault"], message: string) {
    super(message);
    this.name = "StreamFault";
    this.fault = fault;
  }
}
