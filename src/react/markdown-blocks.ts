const fence = /^ {0,3}(`{3,}|~{3,})/;
const listItem = /^ {0,3}([-*+]|\d{1,9}[.)])( |$)/;
const continued = /^( {2,}|\t)/;

/**
 * Cuts Markdown at blank lines into blocks that can be parsed one by one, so that a growing answer parses only its last.
 * Fences and lists stay whole. The blocks put together are the text.
 */
export function toMarkdownBlocks(text: string): readonly string[] {
  const blocks: string[] = [];
  let block = "";
  let open: string | null = null;
  let inList = false;
  let blank = false;

  for (const line of text.split(/(?<=\n)/)) {
    const isBlank = line.trim() === "";
    if (open === null && blank && !isBlank && !(inList && (listItem.test(line) || continued.test(line)))) {
      blocks.push(block);
      block = "";
      inList = false;
    }
    const mark = fence.exec(line)?.[1];
    if (open === null && mark !== undefined) open = mark;
    else if (open !== null && mark !== undefined && line.trim() === mark && mark.startsWith(open)) open = null;
    if (open === null && listItem.test(line)) inList = true;
    blank = isBlank && block.trim() !== "";
    block += line;
  }
  if (block !== "") blocks.push(block);
  return blocks;
}
