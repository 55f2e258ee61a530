/** Where a position of a YAML text is, as completion and hover need it. */
export interface Place {
  /** Keys and, for items of lists, 0, from the outermost to what the position is in. */
  readonly path: readonly (string | 0)[];
  /** Whether a value is expected, after `key:`; otherwise a key or an item. */
  readonly isValue: boolean;
  /** Letters of the word before the position. */
  readonly word: string;
}

interface Level {
  readonly indent: number;
  readonly key: string | 0;
}

const KEY = /^(["']?)([+\w.-]+)\1\s*:(?=\s|$)/;

/**
 * The place of a position, by indentation and brackets: texts that are being written are seldom whole. Texts of several
 * lines in quotes or blocks are not looked into.
 */
export function placeAt(text: string, position: number): Place {
  const lines = text.slice(0, position).split('\n');
  const levels: Level[] = [];
  const flow: { isMap: boolean; key: string | null }[] = [];
  let isValue = false;
  for (const [k, line] of lines.entries()) {
    const isLast = k === lines.length - 1;
    let rest = line.trimStart();
    if (flow.length > 0) {
      readFlow(rest, flow);
      continue;
    }
    if (!isLast && (rest === '' || rest.startsWith('#'))) continue;
    let indent = line.length - rest.length;
    isValue = false;
    while (levels.length > 0 && levels.at(-1)!.indent > indent) levels.pop();
    // An item may stand as far left as the key that it belongs to.
    const isOver = ({ indent: other, key }: Level) =>
      other === indent && !(rest.startsWith('-') && key !== 0);
    while (levels.length > 0 && isOver(levels.at(-1)!)) levels.pop();
    while (/^-(\s|$)/.test(rest)) {
      levels.push({ indent, key: 0 });
      const after = rest.slice(1).trimStart();
      indent += rest.length - after.length;
      rest = after;
    }
    const key = KEY.exec(rest);
    if (key) {
      levels.push({ indent, key: key[2]! });
      isValue = true;
      readFlow(rest.slice(key[0].length), flow);
    } else readFlow(rest, flow);
  }
  const last = flow.at(-1);
  if (last) isValue = last.isMap && last.key !== null;
  const path: (string | 0)[] = [
    ...levels.map(({ key }) => key),
    ...flow.flatMap(({ isMap, key }): (string | 0)[] =>
      isMap ? (key === null ? [] : [key]) : [0],
    ),
  ];
  return { path, isValue, word: /[+\w.-]*$/.exec(lines.at(-1)!)![0] };
}

/** Brackets of a line: what is open after it. */
function readFlow(line: string, flow: { isMap: boolean; key: string | null }[]): void {
  let rest = line;
  while (rest !== '') {
    const part = /^(\s+#.*|"[^"]*"?|'[^']*'?|[{}[\],]|[^{}[\],"']+)/.exec(rest)?.[0] ?? rest;
    rest = rest.slice(part.length);
    const top = flow.at(-1);
    if (/^\s+#/.test(part)) return;
    if (part === '{' || part === '[') flow.push({ isMap: part === '{', key: null });
    else if (part === '}' || part === ']') flow.pop();
    else if (part === ',' && top) top.key = null;
    else if (top?.isMap && top.key === null) top.key = KEY.exec(part.trimStart())?.[2] ?? null;
  }
}
