import type { AddressType } from '@corpuscle/functor/wasm';
import { indented } from '../engine/indented.js';
import type { KernelCode } from './Kernel.js';

/**
 * The code of a kernel in JavaScript.
 * @param about its name and what it does, stage by stage, for readers of its text.
 */
export function javascriptCode(
  about: string,
  source: (addresses: AddressType) => string,
): Extract<KernelCode, { kind: 'javascript' }> {
  const header = about.split('\n').map((line) => `// ${line}`.trimEnd());
  return {
    kind: 'javascript',
    source: (addresses) => indented([...header, source(addresses)].join('\n')),
  };
}
