import type { FunctorIR, ReduceCall, Totals } from '@corpuscle/patterns';
import type { KernelStore } from './KernelStore.js';
import { runOnParticles } from './runOnParticles.js';

/** What the kernels start an extreme from; GLSL has no infinity. */
const far = 3.0e38;

/**
 * Runs a reduce functor: a kernel gives each particle's contributions, the host combines them in order of the particles,
 * sums in double precision. The initial value counts once.
 */
export function reduceCells(kernels: KernelStore, call: ReduceCall, ir: FunctorIR): Totals {
  const { grid, functor, initial } = call;
  const results: Readonly<Record<string, string>> =
    functor.spec.kind === 'reduce' ? functor.spec.result : {};
  const start: Record<string, number> = {};
  for (const [name, op] of Object.entries(results))
    start[name] = op === 'sum' ? 0 : op === 'max' ? -far : far;
  const totals: Totals = { ...initial };
  if (grid.count === 0) return totals;
  const compiled = kernels.get(ir, Object.keys(results), start);
  for (const { plan, values } of runOnParticles(compiled, call)) {
    plan.outputs.forEach((name, component) => {
      let total = totals[name]!;
      for (let row = 0; row < grid.count; row++) {
        const value = values[row]![component]!;
        if (results[name] === 'sum') total += value;
        else if (Math.abs(value) < far) total = Math[results[name] as 'max' | 'min'](total, value);
      }
      totals[name] = total;
    });
  }
  return totals;
}
