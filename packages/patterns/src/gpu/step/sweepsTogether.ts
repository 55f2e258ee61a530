import { type GpuStepCall, isOf } from '../calls/GpuCall.js';
import { mayChangePlaces } from './usesOf.js';

/**
 * Puts sweeps after the first one, with the cell calls that clear what they add to, so that they are one kernel:
 *
 *   pairs, zero, sweep, energy, add, zero′, sweep′, energy′, add′
 *   pairs, zero, zero′, sweep, sweep′, energy, add, energy′, add′
 *
 * A sweep stays where it is if it has to do with other calls that it would pass.
 */
export function sweepsTogether(calls: readonly GpuStepCall[]): readonly GpuStepCall[] {
  const first = calls.findIndex((one) => isOf(one, 'sweep'));
  const next = calls.findIndex((one, k) => k > first && isOf(one, 'sweep'));
  if (first < 0 || next < 0) return calls;
  const before = calls.slice(0, first);
  const sweeps: GpuStepCall[] = [];
  let after: readonly GpuStepCall[] = [];
  for (const one of calls.slice(first)) {
    const clear = after.filter((cell) => isOf(cell, 'cells') && !mayChangePlaces(cell, one));
    const passed = after.filter((other) => !clear.includes(other));
    const mayLead = (cell: GpuStepCall): boolean =>
      [...sweeps, ...passed].every((other) => mayChangePlaces(cell, other));
    const isFree = passed.every((other) => mayChangePlaces(other, one)) && clear.every(mayLead);
    if (isOf(one, 'sweep') && isFree) {
      before.push(...clear);
      sweeps.push(one);
      after = passed;
    } else {
      after = [...after, one];
    }
  }
  return [...before, ...sweeps, ...after];
}
