import { sumOutputs } from '@corpuscle/functor/passes';
import { pairBlocks } from '../../plan/pairBlocks.js';
import { type GpuStepCall, isOf, type StepCallOf } from '../calls/GpuCall.js';
import type { JoiningRules } from './joiningRules.js';
import { mayChangePlaces } from './usesOf.js';

/**
 * Puts a pair call before a sweep and what is made of it, so that they follow it in its kernel:
 *
 *   zero, sweep, energy, add, pairs          zero, pairs, sweep, energy, add
 *
 * Forces are the same bits: of two terms that are added to zero, either may be the first.
 */
export function pairsFirst(
  calls: readonly GpuStepCall[],
  rules: Pick<JoiningRules, 'cleared'>,
): readonly GpuStepCall[] {
  const at = calls.findIndex(({ call }) => call.kind === 'pairs');
  const pairs = calls[at];
  const sweep = calls.findIndex(({ call }) => call.kind === 'sweep');
  if (!pairs || !isOf(pairs, 'pairs') || sweep < 0 || sweep > at) return calls;
  const clear = calls.findIndex((one) => isOf(one, 'cells') && rules.cleared(one, pairs).size > 0);
  if (clear < 0 || clear > sweep) return calls;
  const between = calls.slice(clear + 1, at);
  const order = between.map((one) => orderOf(one, pairs));
  if (order.includes('matters') || order.filter((one) => one === 'adds').length > 1) return calls;
  return [...calls.slice(0, clear + 1), pairs, ...between, ...calls.slice(at + 1)];
}

/** What a call has to do with a pair call after it: nothing; it adds to the same fields; or the order of the two matters. */
function orderOf(
  one: GpuStepCall,
  pairs: GpuStepCall & StepCallOf<'pairs'>,
): 'apart' | 'adds' | 'matters' {
  if (mayChangePlaces(one, pairs)) return 'apart';
  const { grid, plan } = pairs.call;
  if (!isOf(one, 'cells') || one.call.grid !== grid) return 'matters';
  const { functor } = one.call;
  const { read, neighbors, added } = pairBlocks(plan);
  const seen = new Set(['position', ...read, ...neighbors]);
  const kinds = sumOutputs(functor.ir!);
  const adds = Object.entries(functor.ir!.roles.i ?? {}).every(([field, { writable }]) => {
    const { block } = grid.field(field);
    if (writable && seen.has(block)) return false;
    return !added.has(block) || kinds.get(field) === 'sum';
  });
  return adds ? 'adds' : 'matters';
}
