import type { Grid } from '@corpuscle/core';
import type { Functor } from '@corpuscle/functor';
import type { FunctorIR } from '@corpuscle/functor/ir';
import { type AddressType, costOfAll, HEAVY } from '@corpuscle/functor/wasm';
import type { CpuServices } from '../CpuServices.js';
import { javascriptCode } from '../javascriptCode.js';
import type { Kernel } from '../Kernel.js';
import { bindFields, bindingKey } from './FieldBinding.js';
import { functorKey } from './functorKey.js';
import { rowJavaScript } from './rowJavaScript.js';
import { aboutRows, type RowOptions, rowWasm } from './rowWasm.js';

const kernels = new WeakMap<Functor, Map<string, Kernel>>();

/** The kernel that takes particles from a list or into records; compiled once for each combination. */
export function rowKernel(
  functor: Functor<'cell'> | Functor<'reduce'>,
  ir: FunctorIR,
  grid: Grid,
  lowering: CpuServices['lowering'],
  options: RowOptions,
): Kernel {
  const bindings = bindFields(functor, grid);
  const isText = lowering === 'javascript';
  const { listed, record } = options;
  const variant = `rows ${lowering} ${listed} ${record?.bytes ?? 0} ${bindingKey(bindings)}`;
  let ofFunctor = kernels.get(functor);
  if (!ofFunctor) {
    ofFunctor = new Map();
    kernels.set(functor, ofFunctor);
  }
  let kernel = ofFunctor.get(variant);
  if (!kernel) {
    const params = functor.spec.params ?? {};
    const key = `${functorKey(functor)} ${variant}`;
    const label = functor.name;
    if (isText) {
      const text = (addresses: AddressType) =>
        rowJavaScript(ir, bindings, params, options, addresses);
      const code = javascriptCode(aboutRows(label, listed), (addresses) => text(addresses).source);
      kernel = { key, label, code, args: text('i32').args };
    } else {
      // Few operations are not worth putting two rows together.
      const isHeavy = costOfAll(ir.body) >= HEAVY;
      const lanes = lowering === 'simd' && record && isHeavy ? 2 : 1;
      const { code, args } = rowWasm(ir, bindings, params, options, lanes);
      kernel = { key, label, code, args };
    }
    ofFunctor.set(variant, kernel);
  }
  return kernel;
}
