import { type GpuStepCall, isOf, type StepCallOf } from '../calls/GpuCall.js';
import { areApart } from './areApart.js';
import type { JoiningRules } from './joiningRules.js';

/**
 * Puts value functors before a pair call that has nothing to do with them, so that what takes their values follows it in its kernel:
 *
 *   zero, pairs, move, wall, kick          move, zero, pairs, wall, kick
 *
 * Where one of them must stay they all do: they are one dispatch there.
 *
 * @param calls from the update of the lists on
 */
export function valuesFirst(
  calls: readonly GpuStepCall[],
  rules: Pick<JoiningRules, 'reads'>,
): readonly GpuStepCall[] {
  const values = calls.filter((one) => isOf(one, 'values'));
  const pairs = calls.findIndex((one) => isOf(one, 'pairs'));
  const first = calls.findIndex((one) => isOf(one, 'values'));
  if (pairs < 0 || first < pairs) return calls;
  const last = calls.lastIndexOf(values.at(-1)!);
  const passed = calls.slice(0, last).filter((one) => !isOf(one, 'values'));
  const places = new Set(values.flatMap(({ call }) => call.placed.places));
  if (!passed.every((one) => isApart(one, places, rules))) return calls;
  return [...values, ...calls.filter((one) => !isOf(one, 'values'))];
}

/** Whether a call neither reads nor writes these values. */
function isApart(
  one: GpuStepCall,
  places: ReadonlySet<number>,
  { reads }: Pick<JoiningRules, 'reads'>,
): boolean {
  if (isOf(one, 'cells')) return areApart(reads(one), places);
  if (!isOf(one, 'pairs')) return false;
  const { functor, into } = (one as StepCallOf<'pairs'>).call.plan;
  const takesValues = Object.values(functor.ir!.roles.p ?? {}).some(({ fromValue }) => fromValue);
  return !takesValues && !into;
}
