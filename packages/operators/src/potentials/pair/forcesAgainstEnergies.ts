import {
  knownSlots,
  type OperatorNode,
  operatorsOf,
  type Simulation,
  type SimulationWarning,
} from '@corpuscle/core';
import { onePerPlace } from '../../run/places.js';
import type { AnyPairPotential } from './definePairPotential.js';
import { potentialOf } from './pairForceOperator.js';
import { LOOP } from './pairRows.js';

type Entry = Readonly<Record<string, unknown>>;

/** Forces of one's own that are not −u′(r) of their energies: signs and factors go wrong easily, and energies drift then. */
export function forcesAgainstEnergies({ root }: Simulation): readonly SimulationWarning[] {
  return onePerPlace([...operatorsOf(root)].flatMap(warningsOf));
}

function warningsOf(node: OperatorNode): SimulationWarning[] {
  const { definition, isBuiltIn, location } = node;
  const potential = isBuiltIn ? undefined : potentialOf(definition);
  if (!potential || !location || potential.numbers || potential.damping) return [];
  if (LOOP.test(String(potential.energy))) return [];
  const given = knownSlots(node);
  const entries = (given.pairs ?? [given]) as readonly Entry[];
  const found = entries.map((entry) => mismatch(potential, entry)).find((one) => one !== null);
  if (!found) return [];
  const [r, force, slope] = found.map((value) => Number(value.toPrecision(4)));
  const message = `the force of the potential '${potential.name}' is ${force} at the distance ${r}, and its energy says −u′(r) = ${slope}: mend one of them, or leave force out, as it follows from the energy`;
  return [{ message, location }];
}

/** A distance, the force there, and what the energy says; null where they agree. One place may be a kink. */
function mismatch(
  { coefficients, energy, force }: AnyPairPotential,
  entry: Entry,
): readonly [number, number, number] | null {
  const numbers = Object.keys(coefficients).map((name) => Number(entry[name]));
  const u = (r: number) => energy(r, ...numbers);
  const wrong = [0.5, 0.7, 0.9].flatMap((part) => {
    const r = part * Number(entry.rcut);
    const h = 1e-3 * r;
    const slope = (u(r + 2 * h) - 8 * u(r + h) + 8 * u(r - h) - u(r - 2 * h)) / (12 * h);
    const f = force(r, ...numbers);
    const least = 1e-3 * Math.max(Math.abs(f), Math.abs(slope)) + (1e-9 * Math.abs(u(r))) / r;
    return Math.abs(f - slope) > least && u(r) !== 0 ? [[r, f, slope] as const] : [];
  });
  return wrong.length > 1 ? wrong[0]! : null;
}
