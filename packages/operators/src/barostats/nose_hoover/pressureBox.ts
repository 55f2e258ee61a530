import type { Domain } from '@corpuscle/core';
import { type BarostatCoupling, checkCoupling, fixedPoint, leansOf } from '../../box/coupling.js';
import type { Ends } from '../pressures.js';

/** Where the box of a barostat is while its lengths have not grown. */
export type BoxFrame = {
  /** The point that lengths change about: the center of the box without its tilts, as LAMMPS has it. */
  readonly fixed: readonly number[];
  /** From there to the origin. */
  readonly toOrigin: readonly number[];
  /** The lengths of the box along x, y and z, and those of the very first one. */
  readonly lengths: readonly number[];
  readonly first: readonly number[];
  /** How the very first one leaned. */
  readonly firstLeans?: readonly number[];
};

/**
 * The frame of a box.
 *
 * @param known the frame of the box before, if there was one: its point stays.
 * @throws CorpuscleError INVALID_VALUE for a box that cannot do what the coupling asks for.
 */
export function boxFrame(domain: Domain, coupling: BarostatCoupling, known?: BoxFrame): BoxFrame {
  checkCoupling(domain, coupling, 'a barostat');
  const m = domain.matrix;
  const lengths = [m[0]!, m[4]!, m[8]!];
  const fixed = known?.fixed ?? fixedPoint(domain);
  const toOrigin = domain.origin.map((x, k) => x - fixed[k]!);
  const { first, firstLeans } = known ?? { first: lengths, firstLeans: leansOf(domain) };
  return { fixed, toOrigin, lengths, first, ...(firstLeans && { firstLeans }) };
}

/** Parameters of lengths that have each a pressure of their own. */
export function ownPressures(pressures: readonly Ends[], frame: BoxFrame) {
  const { first, lengths, firstLeans = [0, 0, 0] } = frame;
  const [tyx0, tzx0, tzy0] = firstLeans as [number, number, number];
  const [[px0, px1], [py0, py1], [pz0, pz1]] = pressures as [Ends, Ends, Ends];
  const [sx, sy, sz] = lengths.map((length, k) => length / first[k]!) as [number, number, number];
  const volume0 = first[0]! * first[1]! * first[2]!;
  return { px0, px1, py0, py1, pz0, pz1, volume0, sx, sy, sz, tyx0, tzx0, tzy0 };
}
