import { defineFunctor } from '../defineFunctor.js';
import type { FunctorSpec } from '../FunctorSpec.js';
import { withFunctionText } from '../functionText.js';
import { mathImports } from '../lower/wasm/mathImports.js';
import { cellToWasm } from './cellToWasm.js';

/** Where the result is: the first 64 KiB hold tables of the module. */
const RESULT = 65_536;

/**
 * A function of numbers, given by its text in the functor language, as WebAssembly: for pages that may not evaluate text.
 * @param count how many numbers it takes
 */
export function helperToWasm(
  name: string,
  text: string,
  count: number,
): (...args: number[]) => number {
  const names = Array.from({ length: count }, (_, k) => `a${k}`);
  const spec: FunctorSpec = {
    ...{ kind: 'cell', name, fields: { value: 'real' }, read: {} },
    params: Object.fromEntries(names.map((own) => [own, 'real' as const])),
    helpers: { result: withFunctionText(() => 0, text) },
  };
  const given = names.map((own) => `p.${own}`).join(', ');
  const body = withFunctionText(() => undefined, `(i, p, h) => { i.value = h.result(${given}); }`);
  const { bytes } = cellToWasm(defineFunctor('cell', spec, body, helperToWasm));
  const memory = new WebAssembly.Memory({ initial: 2 });
  const module = new WebAssembly.Module(bytes as Uint8Array<ArrayBuffer>);
  const { exports } = new WebAssembly.Instance(module, { env: { memory }, math: mathImports });
  const run = exports.run as (...args: number[]) => void;
  const result = new Float64Array(memory.buffer, RESULT, 1);
  return (...args) => {
    run(1, RESULT, ...args);
    return result[0]!;
  };
}
