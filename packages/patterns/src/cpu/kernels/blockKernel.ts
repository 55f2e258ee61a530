import type { FieldSchema, Functor } from '@corpuscle/functor';
import type { FunctorIR } from '@corpuscle/functor/ir';
import type { AddressType } from '@corpuscle/functor/wasm';
import type { CpuServices } from '../CpuServices.js';
import { javascriptCode } from '../javascriptCode.js';
import type { Kernel } from '../Kernel.js';
import type { BlockLayout } from './BlockLayout.js';
import type { BoundArray } from './BoundArray.js';
import { blockJavaScript } from './blockJavaScript.js';
import { aboutBlocks, blockWasm, type SideBySide } from './blockWasm.js';
import { functorKey } from './functorKey.js';
import { isFlat, pairUpLanes } from './pairUpLanes.js';

const kernels = new WeakMap<Functor, Map<string, Kernel>>();

/** The kernel of a block functor for the storage of its arrays and a lowering; compiled once for each combination. */
export function blockKernel(
  functor: Functor<'block'>,
  ir: FunctorIR,
  arrays: readonly BoundArray[],
  lowering: CpuServices['lowering'],
  layout: BlockLayout,
): Kernel {
  const isJavaScript = lowering === 'javascript';
  const variant = `${lowering} ${arrays.map(({ storage }) => storage).join(',')}`;
  let ofFunctor = kernels.get(functor);
  if (!ofFunctor) {
    ofFunctor = new Map();
    kernels.set(functor, ofFunctor);
  }
  let kernel = ofFunctor.get(variant);
  if (!kernel) {
    const { spec, name: label } = functor;
    const types: FieldSchema = spec.kind === 'block' ? { ...spec.arrays, ...spec.read } : {};
    const key = `${functorKey(functor)} ${variant}`;
    if (isJavaScript) {
      const text = (addresses: AddressType) =>
        blockJavaScript(ir, arrays, types, spec.params ?? {}, layout, addresses);
      const code = javascriptCode(aboutBlocks(label), (addresses) => text(addresses).source);
      kernel = { key, label, code, args: text('i32').args };
    } else {
      const { text, sideBySide } =
        lowering === 'simd'
          ? besideEachOther(ir, layout)
          : { text: ir, sideBySide: 'nothing' as const };
      const params = spec.params ?? {};
      const { code, args } = blockWasm(text, arrays, types, params, sideBySide, layout);
      kernel = { key, label, code, args };
    }
    ofFunctor.set(variant, kernel);
  }
  return kernel;
}

/** What two SIMD lanes of a functor of blocks have. Results of blocks are added up in the order of indices: one after the other. */
function besideEachOther(
  ir: FunctorIR,
  layout: BlockLayout,
): { readonly text: FunctorIR; readonly sideBySide: SideBySide } {
  const paired = layout.reals === 0 ? pairUpLanes(ir) : null;
  if (paired) return { text: paired, sideBySide: 'lanes' };
  const isAlone = layout.reals > 0 || layout.shared.length > 0 || !isFlat(ir);
  return { text: ir, sideBySide: isAlone ? 'nothing' : 'indices' };
}
