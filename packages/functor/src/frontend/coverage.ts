import type { Node } from 'acorn';
import type { Translation } from './Translation.js';

/** Code that tools insert and that means nothing: istanbul's counters, esbuild's `__name`. */
export function isCounter(t: Translation, node: Node): boolean {
  if (node.type !== 'UpdateExpression' && node.type !== 'CallExpression') return false;
  return /^(?:cov_\w+\(|__name\()/.test(t.source.quote(node));
}
