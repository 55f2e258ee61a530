const DEEP = ' '.repeat(64);

/**
 * The text with lines that begin inside quotes or brackets moved to the right, where YAML wants them. Lines keep their numbers, and
 * quoted texts their words.
 */
export function indentInside(text: string): string {
  let quote = '';
  let open = 0;
  let out = '';
  for (let k = 0; k < text.length; k++) {
    const c = text[k]!;
    out += c;
    if (c === '\n') {
      if (quote !== '' || open > 0) out += DEEP;
    } else if (quote === '"' && c === '\\') out += text[++k] ?? '';
    else if (quote !== '') quote = c === quote ? '' : quote;
    else if (c === '#' && /[\s]/.test(text[k - 1] ?? ' ')) {
      const end = text.indexOf('\n', k);
      out += text.slice(k + 1, end < 0 ? undefined : end);
      k = (end < 0 ? text.length : end) - 1;
    } else if ((c === '"' || c === "'") && /[\s[{,:]/.test(text[k - 1] ?? ' ')) quote = c;
    else if (c === '[' || c === '{') open++;
    else if ((c === ']' || c === '}') && open > 0) open--;
  }
  return out;
}
