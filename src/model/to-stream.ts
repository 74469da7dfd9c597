/** A stream of what a generator yields. Cancelled, it ends the generator without waiting for it. */
export function toStream<Part>(parts: AsyncGenerator<Part, undefined>): ReadableStream<Part> {
  return new ReadableStream<Part>({
    pull: async (controller) => {
      try {
        const { done, value } = await parts.next();
        if (done) controller.close();
        else controller.enqueue(value);
      } catch (error) {
        controller.error(error);
      }
    },
    cancel: () => {
      void parts.return(undefined).catch(() => {});
    },
  });
}
