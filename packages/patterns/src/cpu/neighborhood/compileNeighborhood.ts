import type { Functor } from '@corpuscle/functor';
import type { PairCall } from '../../plan/calls.js';
import type { CpuServices } from '../CpuServices.js';
import type { Kernel } from '../Kernel.js';
import { perGrid } from '../perGrid.js';
import { javascriptNeighborhoodKernel } from './javascriptKernel.js';
import { type NeighborhoodPlan, neighborhoodKey, neighborhoodPlan } from './NeighborhoodPlan.js';
import { wasmNeighborhoodKernel } from './wasmKernel.js';

/** A plan and its kernel. */
export interface CompiledNeighborhood {
  readonly plan: NeighborhoodPlan;
  readonly kernel: Kernel;
}

/** Ways of calling one functor on one grid that are remembered. */
const CALLS = 256;

const callsOf = perGrid(() => ({
  byFunctor: new WeakMap<Functor, Map<string, CompiledNeighborhood>>(),
  free: () => {},
}));
const kernels = new WeakMap<
  Functor,
  { readonly id: number; readonly byKey: Map<string, Kernel> }
>();
let functors = 0;

/** The plan and the kernel of a call; both are made once for each way in which a functor is called. */
export function compileNeighborhood(services: CpuServices, call: PairCall): CompiledNeighborhood {
  const { grid, functor } = call;
  const { byFunctor } = callsOf(grid);
  const calls = byFunctor.get(functor) ?? new Map<string, CompiledNeighborhood>();
  byFunctor.set(functor, calls);
  const key = callKey(services, call);
  let compiled = calls.get(key);
  if (!compiled) {
    if (calls.size >= CALLS) calls.clear(); // an integer parameter that counts up would fill it for ever
    const plan = neighborhoodPlan(services, call);
    compiled = { plan, kernel: kernelFor(functor, plan) };
    calls.set(key, compiled);
  }
  return compiled;
}

/** All that plan and kernel depend on, besides functor and grid. Blocks are never taken away: their number tells where fields lie. */
function callKey({ lowering, precision }: CpuServices, call: PairCall): string {
  const { grid, functor, outputs, params, form } = call;
  let key = `${lowering} ${precision} ${form} ${grid.blocks.size}`;
  for (const field in outputs) key += ` ${field}:${outputs[field]}`;
  for (const name in params) {
    const value = params[name]!;
    if (typeof value === 'object') key += value.length === 1 ? ` ${name}` : '';
    else if (functor.ir!.roles.p?.[name]?.type !== 'real') key += ` ${name}=${value}`;
  }
  return key;
}

function kernelFor(functor: Functor, plan: NeighborhoodPlan): Kernel {
  let entry = kernels.get(functor);
  if (!entry) {
    entry = { id: functors++, byKey: new Map() };
    kernels.set(functor, entry);
  }
  const key = neighborhoodKey(plan);
  let kernel = entry.byKey.get(key);
  if (!kernel) {
    const name = `neighborhood ${entry.id} ${key}`;
    const make =
      plan.language === 'javascript' ? javascriptNeighborhoodKernel : wasmNeighborhoodKernel;
    kernel = make(plan, name);
    entry.byKey.set(key, kernel);
  }
  return kernel;
}
