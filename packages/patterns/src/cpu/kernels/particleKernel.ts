import type { Grid } from '@corpuscle/core';
import type { Functor } from '@corpuscle/functor';
import { type FunctorIR, plainResults } from '@corpuscle/functor/ir';
import type { AddressType } from '@corpuscle/functor/wasm';
import type { CpuServices } from '../CpuServices.js';
import { javascriptCode } from '../javascriptCode.js';
import type { Kernel } from '../Kernel.js';
import { bindFields, bindingKey } from './FieldBinding.js';
import { functorKey } from './functorKey.js';
import { particleJavaScript } from './particleJavaScript.js';
import { aboutParticles, particleWasm } from './particleWasm.js';

const kernels = new WeakMap<Functor, Map<string, Kernel>>();

/** The kernel of a cell or reduce functor for a grid's layout and a lowering; compiled once for each combination. */
export function particleKernel(
  functor: Functor<'cell'> | Functor<'reduce'>,
  ir: FunctorIR,
  grid: Grid,
  lowering: CpuServices['lowering'],
): Kernel {
  const bindings = bindFields(functor, grid);
  const variant = `${lowering} ${bindingKey(bindings)}`;
  let ofFunctor = kernels.get(functor);
  if (!ofFunctor) {
    ofFunctor = new Map();
    kernels.set(functor, ofFunctor);
  }
  let kernel = ofFunctor.get(variant);
  if (!kernel) {
    const { spec, name } = functor;
    const params = spec.params ?? {};
    const results = plainResults(functor);
    const key = `${functorKey(functor)} ${variant}`;
    if (lowering === 'javascript') {
      const text = (addresses: AddressType) =>
        particleJavaScript(ir, bindings, params, results, addresses);
      const about = aboutParticles(name, 1, Object.keys(results).length > 0);
      const code = javascriptCode(about, (addresses) => text(addresses).source);
      kernel = { key, label: name, code, args: text('i32').args };
    } else {
      const lanes = lowering === 'simd' ? 2 : 1;
      const { code, args } = particleWasm(ir, bindings, params, results, lanes);
      kernel = { key, label: name, code, args };
    }
    ofFunctor.set(variant, kernel);
  }
  return kernel;
}
