import { CorpuscleError, type Domain, defineOperator, dimensions } from '@corpuscle/core';
import { newestOnHost } from '@corpuscle/patterns';
import { onWholeGrid } from '../analyses/define/onWholeGrid.js';
import type { ParticleFrame } from '../io/extended_xyz/ParticleFrame.js';
import { findFormat } from '../io/frames/findFormat.js';
import { gridFrame } from '../io/frames/gridFrame.js';
import { readFrame } from '../io/frames/readFrame.js';
import { scaleFrame } from '../io/frames/scaleFrame.js';
import { unitFactors } from '../io/frames/unitFactors.js';
import { everySlots, stepsBetween } from '../run/frameSlots.js';
import { contextOf } from '../run/stateKeys.js';
import { typeNames } from '../system/placeParticles.js';

const FIELDS = ['pos', 'velo', 'forces'] as const;
const COLUMN = { pos: 'position', velo: 'velocity', forces: 'force' } as const;

export const checkValues = defineOperator({
  name: 'check_values',
  doc: 'Ends the run with an error where a condition does not hold, or particles differ from those of a file: a test in the input itself.',
  slots: {
    that: {
      type: 'expression',
      gives: 'boolean',
      doc: "what must hold, such as 'abs(measured_total_energy + 27093) < 1e-6'",
    },
    file: { type: 'file', mode: 'read', doc: 'particles to compare with, by id' },
    fields: {
      type: 'list',
      of: { type: 'enum', values: FIELDS },
      minLength: 1,
      default: ['pos'],
      doc: 'what of the particles is compared',
    },
    tolerance: {
      type: 'number',
      min: 0,
      default: 1e-10,
      doc: "largest difference of a component, as a part of the field's root mean square; of positions: in units of length",
    },
    ...everySlots('checks'),
  },
  every: stepsBetween,
  atEnd: true,
  writes: [],
  validate({ slots, fail }) {
    if (!('that' in slots) && slots.file === undefined)
      fail('', 'MISSING_VALUE', "check_values checks nothing: give 'that', or a file of particles");
  },
  async execute({ slots, state }) {
    if (slots.that && slots.that.value(state) !== true)
      throw new CorpuscleError('CHECK_FAILED', `step ${state.step}: '${slots.that.text}' is false`);
    if (slots.file === undefined) return;
    const { units } = state.simulation.configuration;
    const format = findFormat(slots.file);
    if (!format.read)
      throw new CorpuscleError('FILE_FORMAT', `files of the format ${format.name} are not read`);
    const { length, time } = unitFactors(units, format.units);
    const types = state.simulation.particleTypes.names;
    const read = await readFrame(format.read(slots.file, { types }), slots.file);
    const differences = await onWholeGrid(state, async (grid) => {
      await newestOnHost(grid, contextOf(state));
      const present = gridFrame(grid, {
        species: typeNames(state),
        fields: ['velocity', 'force'],
        energy: units.fromInternal(1, dimensions.energy),
      });
      return slots.fields.map((field) =>
        compare(present, scaleFrame(read, length, time), COLUMN[field], grid.domain),
      );
    });
    const worst = differences.reduce((a, b) => (b.size > a.size ? b : a));
    if (worst.size <= slots.tolerance) return;
    throw new CorpuscleError(
      'CHECK_FAILED',
      `step ${state.step}: ${worst.column} of particle ${worst.id} differs from ${slots.file} by ${worst.size.toPrecision(3)}, which is more than ${slots.tolerance}`,
    );
  },
});

/** The largest difference of a column, by ids. @throws CorpuscleError CHECK_FAILED where the particles are not the same ones */
function compare(
  present: ParticleFrame,
  other: ParticleFrame,
  column: (typeof COLUMN)[keyof typeof COLUMN],
  domain: Domain,
) {
  const there = other[column];
  if (!there) throw new CorpuscleError('CHECK_FAILED', `the file has no ${column} to compare`);
  if (present.count !== other.count)
    throw new CorpuscleError(
      'CHECK_FAILED',
      `there are ${present.count} particles, and the file has ${other.count}`,
    );
  const rowOf = new Map(Array.from({ length: other.count }, (_, k) => [other.id?.[k] ?? k, k]));
  const here = present[column]!;
  const isPosition = column === 'position';
  const square = there.reduce((sum, value) => sum + value * value, 0) / there.length;
  const scale = isPosition || square === 0 ? 1 : Math.sqrt(square);
  let [size, id] = [0, 0];
  for (let k = 0; k < present.count; k++) {
    const row = rowOf.get(present.id![k]!);
    if (row === undefined)
      throw new CorpuscleError('CHECK_FAILED', `the file has no particle ${present.id![k]}`);
    const [x, y, z] = [0, 1, 2].map((a) => here[3 * k + a]! - there[3 * row + a]!) as Vector;
    const apart = isPosition ? domain.minimumImage(x, y, z) : [x, y, z];
    // Written so that what is no number counts as infinitely far.
    const far = Math.max(...apart.map(Math.abs)) / scale;
    if (!(far <= size))
      [size, id] = [Number.isNaN(far) ? Number.POSITIVE_INFINITY : far, present.id![k]!];
  }
  return { column, size, id };
}

type Vector = [number, number, number];
