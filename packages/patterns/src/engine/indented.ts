/**
 * Generated text as one would write it: lines indented by their depth in brackets, one empty line at most between others, and
 * none at the edges of a block. For WGSL and JavaScript without brackets in strings.
 */
export function indented(text: string): string {
  const lines: string[] = [];
  let depth = 0;
  for (const raw of text.split('\n')) {
    const line = raw.trim();
    if (line === '') {
      if (lines.length > 0 && !endsBlock(lines.at(-1)!)) lines.push('');
      continue;
    }
    const code = line.replace(/\/\/.*$/, '');
    const closing = /^[})\]]*/.exec(code)![0].length;
    if (closing > 0 && lines.at(-1) === '') lines.pop();
    const goesOn = /^[-+*|&=<>?]/.test(code) ? 1 : 0;
    lines.push('  '.repeat(Math.max(0, depth - closing) + goesOn) + line);
    for (const character of code) {
      if ('{(['.includes(character)) depth++;
      else if ('})]'.includes(character)) depth--;
    }
  }
  return lines.join('\n');
}

/** Whether an empty line after this one would tell nothing: within a block only, not in the header. */
const endsBlock = (line: string): boolean =>
  line === '' || /[{(]$/.test(line) || /^ +\/\//.test(line);
