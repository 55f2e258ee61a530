import type { FunctorSpec } from './FunctorSpec.js';
import { parseResultOp } from './reduction/resultSlots.js';

type Names = (what: string, table: Readonly<Record<string, unknown>> | undefined) => string[];
type Fail = (problem: string, remedy: string) => never;

/** What every WebGPU device gives to a workgroup. */
const MOST_SHARED = 16384;
const taken = new Set(['index', 'x', 'y', 'z', 'lane', 'size', 'barrier']);

/** Checks what a block functor declares besides its arrays. */
export function validateBlock(
  spec: Extract<FunctorSpec, { kind: 'block' }>,
  names: Names,
  fail: Fail,
): void {
  let bytes = 0;
  for (const name of names('block-shared array', spec.blockShared)) {
    const match = /^(real|i32|u32)\[([1-9]\d*)\]$/.exec(spec.blockShared![name]!);
    if (!match)
      fail(
        `the block-shared array '${name}' has the type '${spec.blockShared![name]}'`,
        "use real[n], i32[n] or u32[n] with a number n, such as 'real[128]'",
      );
    if (taken.has(name)) fail(`a block has '${name}' already`, 'give the array another name');
    bytes += 4 * Number(match[2]);
  }
  if (bytes > MOST_SHARED)
    fail(
      `its blocks share ${bytes} bytes, but a block of a GPU has ${MOST_SHARED}`,
      'share less, or go through the data in tiles',
    );
  for (const name of names('result', spec.result)) {
    const op = parseResultOp(spec.result![name]!)?.op;
    if (op !== 'sum' && op !== 'max' && op !== 'min')
      fail(
        `the result '${name}' has the type '${spec.result![name]}'`,
        'block functors return sum, max, min and sum[n]',
      );
  }
  for (const hook of ['prolog', 'epilog'] as const)
    if (spec[hook] !== undefined && typeof spec[hook] !== 'function')
      fail(`${hook} is no function`, 'write it as the functor itself, (b, a, p, h, c) => { … }');
}
