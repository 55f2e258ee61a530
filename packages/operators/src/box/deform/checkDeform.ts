import {
  type CorpuscleError,
  Domain,
  knownSlots,
  operatorFailure,
  operatorsOf,
  type Simulation,
} from '@corpuscle/core';
import { onlyRun, type RunLength } from '../../run/onlyRun.js';
import { type DeformOptions, DeformRun } from './DeformRun.js';
import { deformOperator } from './deformOperator.js';

/** Steps of a run that are looked at, at most. */
const LOOKED = 10_000;

/** Deformations that leave nothing of a length, where the file says how long the run is: it would end after hours. */
export function checkDeform({ root }: Simulation): readonly CorpuscleError[] {
  const nodes = [...operatorsOf(root)];
  const length = lengthOf(onlyRun(nodes) ?? {});
  if (!length) return [];
  return nodes
    .filter(({ definition }) => definition === deformOperator)
    .flatMap((node) => {
      const { true_rate: trueRate, ...options } = knownSlots(node) as Record<string, unknown>;
      const wrong = vanishes({ ...options, trueRate } as DeformOptions, length);
      return wrong ? [operatorFailure(wrong, node)] : [];
    });
}

interface Length {
  readonly steps: number;
  readonly dt: number;
}

/** How many steps a run has; null where it has none, or only it knows. */
function lengthOf({ steps, duration, dt }: RunLength): Length | null {
  if (dt === undefined) return null;
  const all = Math.min(steps ?? Infinity, duration === undefined ? Infinity : duration / dt);
  return all > 0 && Number.isFinite(all) ? { steps: Math.ceil(all), dt } : null;
}

function vanishes(options: DeformOptions, { steps, dt }: Length): unknown {
  const run = new DeformRun(Domain.orthorhombic([1, 1, 1]), 0, 0);
  const stride = Math.max(1, Math.floor(steps / LOOKED));
  try {
    for (let step = 0; step < steps; step += stride)
      run.straightAt(options, { step, time: step * dt, endStep: steps });
    run.straightAt(options, { step: steps, time: steps * dt, endStep: steps });
    return null;
  } catch (error) {
    return error;
  }
}
