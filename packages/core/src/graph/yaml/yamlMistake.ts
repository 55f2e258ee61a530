/** What the parser says is wrong, and where. */
interface Found {
  readonly code: string;
  /** Its sentence, and after it lines of the text perhaps. */
  readonly message: string;
  readonly start: number;
  readonly end: number;
}

/** What to do, by what the parser says. */
const remedies: readonly (readonly [RegExp, string])[] = [
  [
    /block sequence may not|^All sequence items|^Unexpected block-seq-ind/,
    "begin the items of a list in one column, each with '- '",
  ],
  [
    /^All mapping items|^Nested mappings/,
    "begin keys that belong together in one column, and items of a list with '- '; a key ends with ': '",
  ],
  [/^Block collections are not allowed|^Missing , /, 'put a comma between the entries'],
  [/^Unexpected flow-(?:map|seq)-end/, 'leave it out, or open it before'],
  [/^Plain value cannot start/, 'put the text into quotes'],
];

/** A mistake in YAML in our words. A bracket that is not closed is told where it was opened: the parser says where it ends to wait. */
export function yamlMistake(
  text: string,
  { code, message, start, end }: Found,
): Pick<Found, 'message' | 'start' | 'end'> {
  if (code === 'TAB_AS_INDENT')
    return { message: 'a tab indents this line: use spaces', start, end };
  const [first = ''] = message.split('\n');
  if (/^Flow (?:map|sequence) .*end with a/.test(first)) {
    const opened = lastOpened(text.slice(0, start));
    if (opened >= 0) {
      const bracket = text[opened];
      const closing = bracket === '{' ? '}' : ']';
      const said = `'${bracket}' is not closed: add '${closing}'`;
      return { message: said, start: opened, end: opened + 1 };
    }
  }
  const [, quote] = /^Missing closing (['"])quote/.exec(first) ?? [];
  if (quote !== undefined) {
    const opened = oddQuote(text, quote) ?? start;
    const said = `the quote ${quote} is not closed: add ${quote} at the end of its text`;
    return { message: said, start: opened, end: opened + 1 };
  }
  const [, key, value] = /^([\w.]+):(\S.*)/.exec(text.slice(start, end)) ?? [];
  if (/^Implicit map keys? need/.test(first) && key !== undefined) {
    const said = `put a space after the colon, '${key}: ${value}'`;
    return { message: said, start, end };
  }
  const shown = first.length > 200 ? `${first.slice(0, 200)} …` : first;
  const remedy = remedies.find(([pattern]) => pattern.test(first))?.[1];
  const said = `this is no valid YAML: ${shown.charAt(0).toLowerCase()}${shown.slice(1)}`;
  return { message: remedy ? `${said}: ${remedy}` : said, start, end };
}

/** Where the innermost bracket was opened that is still open at the end of a text; −1 where there is none. Quotes and comments count as such. */
function lastOpened(text: string): number {
  const open: number[] = [];
  for (const { 0: piece, index } of text.matchAll(
    /"(?:\\.|[^"\\])*"|'[^']*'|(?<=^|\s)#.*|[[\]{}]/gm,
  )) {
    if (piece === '{' || piece === '[') open.push(index);
    else if (piece === '}' || piece === ']') open.pop();
  }
  return open.at(-1) ?? -1;
}

/** Where a quote was opened, by the first line that has one without another. */
function oddQuote(text: string, quote: string): number | undefined {
  let at = 0;
  for (const line of text.split('\n')) {
    const code = line.replace(/(?<=^|\s)#.*/, '');
    if (code.split(quote).length % 2 === 0) return at + code.lastIndexOf(quote);
    at += line.length + 1;
  }
  return undefined;
}
