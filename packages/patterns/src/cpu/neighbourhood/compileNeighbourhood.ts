import type { Functor } from '@corpuscle/functor';
import type { PairCall } from '../../plan/calls.js';
import type { CpuServices } from '../CpuServices.js';
import type { Kernel } from '../Kernel.js';
import { perGrid } from '../perGrid.js';
import { javascriptNeighbourhoodKernel } from './javascriptKernel.js';
import {
  type NeighbourhoodPlan,
  neighbourhoodKey,
  neighbourhoodPlan,
} from './NeighbourhoodPlan.js';
import { wasmNeighbourhoodKernel } from './wasmKernel.js';

/** A plan and its kernel. */
export interface CompiledNeighbourhood {
  readonly plan: NeighbourhoodPlan;
  readonly kernel: Kernel;
}

/** Ways of calling one functor on one grid that are remembered. */
const CALLS = 256;

const callsOf = perGrid(() => ({
  byFunctor: new WeakMap<Functor, Map<string, CompiledNeighbourhood>>(),
  free: () => {},
}));
const kernels = new WeakMap<
  Functor,
  { readonly id: number; readonly byKey: Map<string, Kernel> }
>();
let functors = 0;

/** The plan and the kernel of a call; both are made once for each way in which a functor is called. */
export function compileNeighbourhood(services: CpuServices, call: PairCall): CompiledNeighbourhood {
  const { grid, functor } = call;
  const { byFunctor } = callsOf(grid);
  const calls = byFunctor.get(functor) ?? new Map<string, CompiledNeighbourhood>();
  byFunctor.set(functor, calls);
  const key = callKey(services, call);
  let compiled = calls.get(key);
  if (!compiled) {
    if (calls.size >= CALLS) calls.clear(); // an integer parameter that counts up would fill it for ever
    const plan = neighbourhoodPlan(services, call);
    compiled = { plan, kernel: kernelFor(functor, plan) };
    calls.set(key, compiled);
  }
  return compiled;
}

/** All that plan and kernel depend on, besides functor and grid. */
function callKey({ lowering, precision }: CpuServices, call: PairCall): string {
  const { functor, outputs, params, form } = call;
  let key = `${lowering} ${precision} ${form}`;
  for (const field in outputs) key += ` ${field}:${outputs[field]}`;
  for (const name in params) {
    const value = params[name]!;
    if (typeof value === 'object') key += value.length === 1 ? ` ${name}` : '';
    else if (functor.ir!.roles.p?.[name]?.type !== 'real') key += ` ${name}=${value}`;
  }
  return key;
}

function kernelFor(functor: Functor, plan: NeighbourhoodPlan): Kernel {
  let entry = kernels.get(functor);
  if (!entry) {
    entry = { id: functors++, byKey: new Map() };
    kernels.set(functor, entry);
  }
  const key = neighbourhoodKey(plan);
  let kernel = entry.byKey.get(key);
  if (!kernel) {
    const name = `neighbourhood ${entry.id} ${key}`;
    const make =
      plan.language === 'javascript' ? javascriptNeighbourhoodKernel : wasmNeighbourhoodKernel;
    kernel = make(plan, name);
    entry.byKey.set(key, kernel);
  }
  return kernel;
}
