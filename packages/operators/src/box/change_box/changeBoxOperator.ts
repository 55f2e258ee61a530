import { Domain, defineOperator, dimensions } from '@corpuscle/core';
import { bringBack } from '../../images/bringBack.js';
import { freshnessOf } from '../../run/freshness.js';
import { gatherParticles } from '../../run/gatherParticles.js';
import { gridKey } from '../../run/stateKeys.js';
import { flipBox } from '../flipBox.js';
import { latticeSlot, matrixOf } from '../latticeSlot.js';
import { boxReplaced, newBox } from '../newBox.js';
import { isSmallChange, prescribedBoxOf } from '../PrescribedBox.js';
import { findRunBox, settledBox } from '../RunBox.js';
import { type Remap, remapPositions } from '../setBox.js';
import { noStrain, strainBox } from '../strainBox.js';
import { strainEntries } from '../strainSlots.js';

export const changeBoxOperator = defineOperator({
  name: 'change_box',
  doc: 'Changes the box at once. What is given is done in this order: lattice, lengths, scale, strain, periodic, flip.',
  slots: {
    lattice: {
      ...latticeSlot,
      doc: 'new lattice vectors: three rows, or nine numbers; the origin stays',
    },
    lengths: {
      type: 'list',
      of: { type: 'quantity', dimension: dimensions.length, above: 0 },
      length: 3,
      doc: 'new lengths of the three lattice vectors, about the center of the box',
    },
    scale: {
      type: 'any_of',
      options: [
        { type: 'number', above: 0 },
        { type: 'list', of: { type: 'number', above: 0 }, length: 3 },
      ],
      doc: 'a factor for x, y and z, or one for each, about the center of the box',
    },
    strain: {
      type: 'map',
      entries: strainEntries,
      doc: 'strains, as those of deform',
    },
    periodic: {
      type: 'list',
      of: { type: 'boolean' },
      length: 3,
      doc: 'whether space repeats along each lattice vector',
    },
    flip: {
      type: 'boolean',
      default: false,
      doc: 'exchange lattice vectors that lean by more than 0.6 of a length for others of the same lattice',
    },
    remap: {
      type: 'enum',
      values: ['positions', 'none'],
      default: 'positions',
      doc: 'positions: particles follow the box; none: they stay where they are',
    },
  },
  requires: [gridKey],
  functors: [remapPositions],
  validate({ slots, fail }) {
    const { lattice, lengths, scale, strain, periodic, flip } = slots;
    if (![lattice, lengths, scale, strain, periodic].some((slot) => slot !== undefined) && !flip)
      fail(
        '',
        'MISSING_VALUE',
        'change_box needs lattice, lengths, scale, strain, periodic or flip',
      );
  },
  prepare: () => ({ times: 0 }),
  save: ({ own }) => ({ ...own }),
  restore({ own }, saved) {
    own.times = (saved as { readonly times: number }).times;
  },
  async execute({ slots, state, own, isLooping }) {
    // A box that changes again and again is a value of the device, if that keeps strains; for one change kernels stay as they are.
    const strained = own.times++ > 0 && !findRunBox(state) ? prescribedBoxOf(state) : null;
    if (!strained) await settledBox(state);
    if (!isLooping()) bringBack(state);
    else if (slots.periodic) gatherParticles(state);
    const before = state.get(gridKey).wholeDomain;
    let box = before;
    if (slots.lattice) box = Domain.triclinic(matrixOf(slots.lattice), before);
    if (slots.lengths) box = stretched(box, slots.lengths);
    if (slots.scale !== undefined) box = strainBox(box, stretch(slots.scale));
    if (slots.strain) box = strainBox(box, { ...noStrain, ...given(slots.strain) });
    if (slots.periodic)
      box = Domain.triclinic(box.matrix, {
        origin: box.origin,
        periodic: slots.periodic as unknown as Domain['periodic'],
      });
    freshnessOf(state).isChecked = false;
    const isStrain = slots.remap === 'positions' && isSmallChange(before, box);
    if (strained && isStrain && !slots.flip) {
      strained.become(box);
      return boxReplaced(state);
    }
    if (strained) await settledBox(state);
    newBox(state, box, slots.remap as Remap);
    if (slots.flip) newBox(state, flipBox(box), 'none');
  },
});

function stretch(scale: number | readonly number[]) {
  const [x, y, z] = typeof scale === 'number' ? [scale, scale, scale] : scale;
  return { ...noStrain, xx: x! - 1, yy: y! - 1, zz: z! - 1 };
}

/** Lattice vectors of other lengths, about the center. */
function stretched(domain: Domain, lengths: readonly number[]): Domain {
  const { matrix, origin, periodic } = domain;
  const rows = [0, 1, 2].flatMap((k) => {
    const row = matrix.slice(3 * k, 3 * k + 3);
    const factor = lengths[k]! / Math.hypot(...row);
    return row.map((x) => x * factor);
  });
  const half = [0, 1, 2].map((k) => (matrix[k]! + matrix[3 + k]! + matrix[6 + k]!) / 2);
  const newHalf = [0, 1, 2].map((k) => (rows[k]! + rows[3 + k]! + rows[6 + k]!) / 2);
  const moved = origin.map((x, k) => x + half[k]! - newHalf[k]!);
  return Domain.triclinic(rows, { origin: moved as [number, number, number], periodic });
}

const given = (strain: object): object =>
  Object.fromEntries(Object.entries(strain).filter(([, value]) => value !== undefined));
