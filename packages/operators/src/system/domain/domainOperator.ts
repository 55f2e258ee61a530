import { CorpuscleError, Domain, defineOperator, Grid } from '@corpuscle/core';
import { latticeSlot, lengths, matrixOf } from '../../box/latticeSlot.js';
import { contextOf, gridKey, ownParticles } from '../../run/stateKeys.js';
import { setSpecies } from '../placeParticles.js';

interface DomainSlots {
  readonly lower: readonly number[];
  readonly upper?: readonly number[] | undefined;
  readonly lattice?: readonly number[] | readonly (readonly number[])[] | undefined;
  readonly periodic: readonly boolean[];
}

/** `domain`: an empty box, for `create_particles`. */
export const domainOperator = defineOperator({
  name: 'domain',
  doc: 'Makes a box without particles, for create_particles. What reads or makes particles otherwise brings a box of its own.',
  slots: {
    lower: { ...lengths, length: 3, default: [0, 0, 0], doc: 'its lower corner' },
    upper: { ...lengths, length: 3, doc: 'its upper corner; this or lattice' },
    lattice: { ...latticeSlot, doc: 'its lattice vectors: three rows, or nine numbers' },
    periodic: {
      type: 'list',
      of: { type: 'boolean' },
      length: 3,
      default: [true, true, true],
      doc: 'whether space repeats along each lattice vector',
    },
  },
  provides: [gridKey],
  // A slot without a value is wrong, and the box not known.
  box: ({ lower, upper, lattice, periodic }) =>
    lower && periodic && (upper || lattice) ? boxOf({ lower, upper, lattice, periodic }) : null,
  validate({ slots, fail }) {
    if ((slots.upper === undefined) === (slots.lattice === undefined))
      fail('', 'INVALID_VALUE', 'domain needs either upper or lattice, one of the two');
    const { lower, upper } = slots;
    for (const axis of [0, 1, 2])
      if (lower && upper && !(upper[axis]! > lower[axis]!))
        fail('upper', 'INVALID_VALUE', `the box has no width along ${'xyz'[axis]}: enlarge upper`);
  },
  execute({ slots, state }) {
    const { particleTypes } = state.simulation;
    if (state.find(gridKey))
      throw new CorpuscleError(
        'INVALID_VALUE',
        'there are particles before domain: use change_box for another box',
      );
    setSpecies(state, particleTypes.names);
    ownParticles(state, new Grid(contextOf(state).heap, boxOf(slots)));
  },
});

/** The box that slots say. */
function boxOf({ lower, upper, lattice, periodic }: DomainSlots): Domain {
  const [x, y, z] = lower;
  const [lx, ly, lz] = upper ?? [0, 0, 0];
  const matrix = lattice ? matrixOf(lattice) : [lx! - x!, 0, 0, 0, ly! - y!, 0, 0, 0, lz! - z!];
  const [a, b, c] = periodic;
  return Domain.triclinic(matrix, { origin: [x!, y!, z!], periodic: [a!, b!, c!] });
}
