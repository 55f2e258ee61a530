import { indented } from '../engine/indented.js';
import type { KernelCode } from './Kernel.js';

/**
 * The code of a kernel in JavaScript.
 * @param about its name and what it does, stage by stage, for readers of its text.
 */
export function javascriptCode(
  about: string,
  source: string,
): Extract<KernelCode, { kind: 'javascript' }> {
  const header = about.split('\n').map((line) => `// ${line}`.trimEnd());
  return { kind: 'javascript', source: indented([...header, source].join('\n')) };
}
