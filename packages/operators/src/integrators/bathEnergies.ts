import { CorpuscleError, type SimulationState } from '@corpuscle/core';
import { combined, type PatternHandle, reduceCellParticles } from '@corpuscle/patterns';
import { contextOf, gridKey } from '../run/stateKeys.js';
import { sumHeat } from '../thermostats/heat.js';
import { usesKey } from './phaseOperator.js';

/**
 * The energies that thermostats have taken from the particles so far. They arrive later.
 * @throws CorpuscleError INVALID_VALUE for an integrator that changes the energy and keeps no account.
 */
export function bathEnergies(state: SimulationState): PatternHandle<number>[] {
  const uses = [...(state.find(usesKey)?.values() ?? [])].map(({ use }) => use);
  const silent = uses.find(({ spec }) => spec.changesMomentum && !spec.bath && !spec.countsHeat);
  if (silent)
    throw new CorpuscleError(
      'INVALID_VALUE',
      `${silent.spec.name} keeps no account of the energy it takes: leave conserved out`,
    );
  const taken = uses.flatMap(({ spec: { bath }, values }) =>
    bath && values ? [combined([values.read()], ([numbers]) => numbers![bath]!)] : [],
  );
  if (!uses.some(({ spec }) => spec.countsHeat)) return taken;
  const given = reduceCellParticles(state.get(gridKey), sumHeat, {}, contextOf(state));
  return [...taken, combined([given], ([sum]) => -sum!.heat)];
}
