import type { Functor } from '@corpuscle/functor';
import { withOutputs } from '@corpuscle/functor/passes';
import type { PairCall, ParameterValues, Plan } from '../../plan/calls.js';
import { shapeKey, specialize } from '../../plan/specialize.js';
import type { GpuDevice } from '../device/GpuDevice.js';
import type { GpuKernel } from '../device/GpuKernel.js';
import { FunctorTables } from '../kernels/FunctorTables.js';
import { functorText } from '../kernels/functorText.js';
import { layoutKey } from '../kernels/ParticleAccess.js';
import { KernelCache } from '../pattern/KernelCache.js';
import { CallSums } from '../values/CallSums.js';
import { lightFunctor } from './lightFunctor.js';
import { type TileText, tileText } from './tileSource.js';
import type { TileVariant } from './tileVariant.js';

/** The kernels of a pair functor over all pairs, and what they use. */
export interface TileProgram extends TileText {
  readonly tables: FunctorTables;
  readonly tileKernel: GpuKernel;
  readonly gatherKernel: GpuKernel;
  readonly sums: CallSums | null;
}

/** Kernels of pair functors over all pairs, one for each kind of box, reach and outputs. */
export class AllPairsPrograms {
  readonly #gpu: GpuDevice;
  readonly #programs = new KernelCache<TileProgram>();

  constructor(gpu: GpuDevice) {
    this.#gpu = gpu;
  }

  of(plan: Plan<PairCall>, params: ParameterValues, variant: TileVariant): TileProgram {
    const { grid, outputs, allPairs } = plan;
    const isOneSet = allPairs?.central === allPairs?.neighbors;
    const functor = plan.functor as Functor<'pair'>;
    const { i = {}, j = {} } = functor.ir!.roles;
    const { box, reach, listed } = variant;
    let key = `${box} ${reach} ${listed} ${isOneSet} ${layoutKey(grid, [...Object.keys(i), ...Object.keys(j)])}`;
    for (const name in outputs) key += `,${name}:${outputs[name]}`;
    key += shapeKey(functor, params);
    return this.#programs.get(functor, key, () => this.#build(plan, params, variant));
  }

  #build(plan: Plan<PairCall>, params: ParameterValues, variant: TileVariant): TileProgram {
    const { grid, outputs } = plan;
    const functor = plan.functor as Functor<'pair'>;
    const { reals } = this.#gpu;
    const kept = new Set(Object.keys(outputs).filter((name) => outputs[name] !== 'none'));
    const ir = withOutputs(specialize(functor.ir!, params).ir, kept);
    const tables = new FunctorTables(ir, '', reals.pair);
    const lowered = functorText(functor, ir, tables);
    const lightIr = variant.reach === 'sparse' ? null : lightFunctor(ir, plan);
    const light = lightIr && functorText(functor, lightIr, tables, '_light');
    const request = { functor, ir, lowered, light, tables, grid, outputs, variant, reals };
    const text = tileText(request);
    const sums = text.totals.length > 0 ? new CallSums(this.#gpu, functor.name, text.totals) : null;
    return {
      ...text,
      tables,
      sums,
      tileKernel: this.#gpu.kernel(text.tiles),
      gatherKernel: this.#gpu.kernel(text.gather),
    };
  }
}
