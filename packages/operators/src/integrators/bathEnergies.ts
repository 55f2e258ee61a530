import {
  CorpuscleError,
  operatorsOf,
  type Simulation,
  type SimulationState,
  type SourceLocation,
} from '@corpuscle/core';
import { combined, completed, type PatternHandle, reduceCellParticles } from '@corpuscle/patterns';
import { mtkKey } from '../barostats/nose_hoover/MtkRun.js';
import { workAtStart } from '../barostats/nose_hoover/workAtStart.js';
import { contextOf, gridKey } from '../run/stateKeys.js';
import { sumHeat } from '../thermostats/heat.js';
import { isAccountless, usesKey } from './phaseOperator.js';

/** The first operator of a simulation that changes the energy and keeps no account, as a file names it. */
const silentIn = ({ root }: Simulation): string | undefined =>
  [...operatorsOf(root)].map(({ definition }) => definition.keepsNoAccount).find(Boolean);

const keepsNoAccount = (name: string, location?: SourceLocation) =>
  new CorpuscleError(
    'INVALID_VALUE',
    `${name} keeps no account of the energy it takes: leave conserved out`,
    location && { location },
  );

/** Thermo tables with a conserved quantity beside what keeps no account. */
export function checkConserved(simulation: Simulation): readonly CorpuscleError[] {
  const silent = silentIn(simulation);
  if (silent === undefined) return [];
  return [...operatorsOf(simulation.root)].flatMap(({ definition, slots, location }) => {
    const conserved = definition.name === 'thermo' ? slots.get('conserved') : undefined;
    if (conserved?.kind !== 'value' || conserved.value !== true) return [];
    return [keepsNoAccount(silent, conserved.location ?? location)];
  });
}

/**
 * The energies that thermostats and barostats have taken from the particles so far, with P V. They arrive later.
 * @throws CorpuscleError INVALID_VALUE for an integrator or a barostat that changes the energy and keeps no account.
 */
export function bathEnergies(state: SimulationState): PatternHandle<number>[] {
  const uses = [...(state.find(usesKey)?.values() ?? [])].map(({ use }) => use);
  const silent =
    uses.find(({ spec }) => isAccountless(spec))?.spec.name ?? silentIn(state.simulation);
  if (silent) throw keepsNoAccount(silent);
  const barostat = state.find(mtkKey);
  const taken = [
    ...uses.flatMap(({ spec: { bath }, values }) =>
      bath && values ? [combined([values.read()], ([numbers]) => numbers![bath]!)] : [],
    ),
    barostat?.bathEnergy() ?? completed(workAtStart(state)),
  ];
  if (!uses.some(({ spec }) => spec.countsHeat)) return taken;
  const given = reduceCellParticles(state.get(gridKey), sumHeat, {}, contextOf(state));
  return [...taken, combined([given], ([sum]) => -sum!.heat)];
}
