/** One piece of a streamed answer. */
export const words = "a few words of an answer ";
