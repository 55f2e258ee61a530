import { CorpuscleError, operatorsOf, type SimulationState } from '@corpuscle/core';
import { combined, type PatternHandle, reduceCellParticles } from '@corpuscle/patterns';
import { mtkKey } from '../barostats/nose_hoover/MtkRun.js';
import { contextOf, gridKey } from '../run/stateKeys.js';
import { sumHeat } from '../thermostats/heat.js';
import { usesKey } from './phaseOperator.js';

/** Operators that change the energy and keep no account. */
const SILENT = ['cell_rescale', 'berendsen_box'];

/**
 * The energies that thermostats and barostats have taken from the particles so far, with P V. They arrive later.
 * @throws CorpuscleError INVALID_VALUE for an integrator or a barostat that changes the energy and keeps no account.
 */
export function bathEnergies(state: SimulationState): PatternHandle<number>[] {
  const uses = [...(state.find(usesKey)?.values() ?? [])].map(({ use }) => use);
  const silent =
    uses.find(({ spec }) => spec.changesMomentum && !spec.bath && !spec.countsHeat)?.spec.name ??
    [...operatorsOf(state.simulation.root)].find(({ definition }) =>
      SILENT.includes(definition.name),
    )?.definition.name;
  if (silent)
    throw new CorpuscleError(
      'INVALID_VALUE',
      `${silent} keeps no account of the energy it takes: leave conserved out`,
    );
  const barostat = state.find(mtkKey);
  const taken = [
    ...uses.flatMap(({ spec: { bath }, values }) =>
      bath && values ? [combined([values.read()], ([numbers]) => numbers![bath]!)] : [],
    ),
    ...(barostat ? [barostat.bathEnergy()] : []),
  ];
  if (!uses.some(({ spec }) => spec.countsHeat)) return taken;
  const given = reduceCellParticles(state.get(gridKey), sumHeat, {}, contextOf(state));
  return [...taken, combined([given], ([sum]) => -sum!.heat)];
}
