/** Reads a server-sent event stream piece by piece and hands over the data of each event, which is one line of JSON. Ids are not kept: events carry their own. */
export function createEventParser(onData: (data: string) => void): (piece: string) => void {
  let rest = "";
  return (piece) => {
    const lines = (rest + piece).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) if (line.startsWith("data:")) onData(line.slice(5));
  };
}
