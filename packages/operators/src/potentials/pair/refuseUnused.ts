import { CorpuscleError } from '@corpuscle/core';
import { forEachExpression } from '@corpuscle/patterns';
import type { Coefficients, PairPotentialSpec } from './definePairPotential.js';
import type { RadialFunctor } from './radialLayer.js';

/**
 * Refuses a coefficient that nothing reads: mostly a slip of names or their order. Where `numbers`, `cutoff` or `selfEnergy` take
 * the coefficients any of them may be read there, and a name such as `_k` says that it is not read on purpose.
 * @throws CorpuscleError INVALID_VALUE
 */
export function refuseUnused<C extends Coefficients>(
  spec: PairPotentialSpec<C>,
  { ir }: RadialFunctor,
): void {
  const { name, numbers, cutoff, selfEnergy, damping, force } = spec;
  if (numbers || cutoff || selfEnergy) return;
  const used = (ir?.helpers ?? []).map(({ params, body }) => {
    const read = new Set<string>();
    forEachExpression(body, (e) => {
      if (e.kind === 'variable') read.add(e.variable.id);
    });
    return params.map(({ id, name: own }) => read.has(id) || own.startsWith('_'));
  });
  const unused = Object.keys(spec.coefficients).find(
    (coefficient, k) => coefficient !== damping && !used.some((arguments_) => arguments_[k + 1]),
  );
  if (unused === undefined) return;
  const by = force ? 'neither energy nor force uses it' : 'energy does not use it';
  throw new CorpuscleError(
    'INVALID_VALUE',
    `the coefficient '${unused}' of the potential '${name}' does nothing, since ${by}: take it out of coefficients, or call the argument _${unused} if this is meant`,
  );
}
