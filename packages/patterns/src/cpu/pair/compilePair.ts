import type { Functor } from '@corpuscle/functor';
import { coversCutoff } from '../../plan/specialize.js';
import type { CpuServices } from '../CpuServices.js';
import type { Kernel } from '../Kernel.js';
import { javascriptKernel } from './javascriptKernel.js';
import { type PairPlan, type PairRequest, pairPlan, planKey } from './PairPlan.js';
import type { CompiledPair, PairState } from './PairState.js';
import { packedLength } from './packTables.js';
import { scalarKernel } from './wasm/scalarKernel.js';
import { vectorKernel } from './wasm/vectorKernel.js';

const kernels = new WeakMap<
  Functor,
  { readonly id: number; readonly byKey: Map<string, Kernel> }
>();
let functors = 0;
/** Ways of calling one functor on one grid that are remembered. */
const CALLS = 256;

/** The plan and the kernel of a call; both are made once for each way in which a functor is called. */
export function compilePair(
  services: CpuServices,
  state: PairState,
  request: PairRequest,
): CompiledPair {
  const { grid, functor, outputs, params, rcut } = request;
  let calls = state.compiled.get(functor);
  if (!calls) {
    calls = new Map();
    state.compiled.set(functor, calls);
  }
  // A block that comes later may have a field that another had: grids keep their blocks, so that the number tells which there are.
  let key = `${services.lowering} ${services.precision} ${services.parts > 1} ${services.relaxed} ${request.form} ${grid.blocks.size}`;
  for (const field in outputs) key += ` ${field}:${outputs[field]}`;
  for (const name in params) {
    const value = params[name]!;
    const real = functor.ir!.roles.p?.[name]?.type === 'real';
    if (typeof value === 'object') key += ` ${name}:${packedLength(value.length)}`;
    else if (!real) key += ` ${name}=${value}`;
    if (real && coversCutoff(value, rcut)) key += ` ${name}>`;
  }
  let compiled = calls.get(key);
  if (!compiled) {
    if (calls.size >= CALLS) calls.clear(); // an integer parameter that counts up would fill it for ever
    const plan = pairPlan(services, { ...request, moments: true });
    compiled = { plan, kernel: kernelFor(functor, plan) };
    calls.set(key, compiled);
  }
  return compiled;
}

function kernelFor(functor: Functor, plan: PairPlan): Kernel {
  let entry = kernels.get(functor);
  if (!entry) {
    entry = { id: functors++, byKey: new Map() };
    kernels.set(functor, entry);
  }
  const key = planKey(plan);
  let kernel = entry.byKey.get(key);
  if (!kernel) {
    kernel = build(plan, `pair ${entry.id} ${key}`);
    entry.byKey.set(key, kernel);
  }
  return kernel;
}

function build(plan: PairPlan, key: string): Kernel {
  switch (plan.scaffold) {
    case 'lanes2':
    case 'lanes4':
      return vectorKernel(plan, key);
    case 'scalar':
      return scalarKernel(plan, key);
    case 'javascript':
      return javascriptKernel(plan, key);
  }
}
