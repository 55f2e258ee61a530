/** Text in lines of at most a width, broken at spaces; words that are longer stay whole. Lines after the first are indented. */
export function wrap(text: string, width: number): string {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1)!;
    const joined = line === '' ? word : `${line} ${word}`;
    if (joined.length <= width || line.trim() === '') lines[lines.length - 1] = joined;
    else lines.push(`  ${word}`);
  }
  return lines.join('\n');
}
