import {
  CorpuscleError,
  type Dimension,
  defineOperator,
  dimensions,
  type SimulationState,
} from '@corpuscle/core';
import { copyParticles } from '@corpuscle/patterns';
import { countImages } from '../../images/countImages.js';
import { settleTime } from '../../integrators/physicalTime.js';
import { frequencySlot } from '../../run/frequencySlot.js';
import { lastGoodKey, wantedFields } from '../../run/LastGoodState.js';
import { contextOf, gridKey, ledgerKey } from '../../run/stateKeys.js';
import { typeNames } from '../../system/placeParticles.js';
import { assertProperties, assertStress, blocksOf } from '../frames/gridFrame.js';
import { propertiesSlot } from '../frames/propertiesSlot.js';
import { tellWaited } from '../frames/tellWaited.js';
import { FrameQueue } from '../thread/FrameQueue.js';
import type { FrameTask } from '../thread/frameTask.js';
import { blocksOfColumns, type WriteField, writeFields } from './frameOf.js';
import { aseVelocity, canBeAse, type XyzConvention, xyzConventions } from './xyzConvention.js';

const withoutForces: readonly WriteField[] = ['pos', 'velo', 'id'];
const withForces: readonly WriteField[] = [...withoutForces, 'forces', 'energy'];

interface Own {
  frames: number;
  readonly queue: FrameQueue;
}

export const writeExtendedXyzOperator = defineOperator({
  name: 'write_extended_xyz',
  doc: 'Appends a frame of particles, sorted by id, to an extended xyz file; every number reads back to the same f64.',
  slots: {
    file: { type: 'file', mode: 'write', required: true, doc: 'the file' },
    frequency: frequencySlot('frames'),
    fields: {
      type: 'list',
      of: { type: 'enum', values: writeFields },
      minLength: 1,
      doc: 'columns beside the species, in this order; default pos, velo, id, and where there are forces also forces and energy; image is how often a particle has crossed the box, and stress (xx yy zz xy xz yz) the operator particle_stress before',
    },
    properties: propertiesSlot,
    convention: {
      type: 'enum',
      values: xyzConventions,
      default: 'auto',
      doc: 'ase: ASE reads velocities (momenta, masses), forces and energies; plain: columns have the names of fields; auto: ase where all species are elements, in units lj or of ångström, Dalton and eV',
    },
  },
  every: 'frequency',
  needs: ({ fields = withForces }) => (fields.includes('energy') ? ['particle_energies'] : []),
  requires: [gridKey],
  validate({ slots, fail }) {
    const { fields } = slots;
    if (fields && !fields.includes('pos'))
      fail('fields', 'INVALID_VALUE', 'fields lacks pos: positions are what makes a frame');
    const twice = fields?.find((field, k) => fields.indexOf(field) !== k);
    if (twice) fail('fields', 'INVALID_VALUE', `fields has ${twice} twice: remove one`);
  },
  prepare({ slots, state }): Own {
    if (slots.fields?.includes('image')) countImages(state.get(gridKey), contextOf(state));
    return { frames: 0, queue: new FrameQueue(() => state.find(lastGoodKey)) };
  },
  async execute({ slots, state, own, isLooping }) {
    const grid = state.get(gridKey);
    const ledger = state.find(ledgerKey);
    const fields =
      (slots.fields as readonly WriteField[] | undefined) ?? (ledger ? withForces : withoutForces);
    if (fields.includes('forces')) state.get(ledgerKey); // zeros would pass for forces
    if (fields.includes('energy')) await state.get(ledgerKey).energies();
    assertStress(grid, fields);
    const fieldsOfOnesOwn = slots.properties as readonly string[];
    assertProperties(grid, fieldsOfOnesOwn);
    await settleTime(state);
    const { step, time, output } = state;
    const species = typeNames(state);
    const { units } = state.simulation.configuration;
    const factor = (dimension: Dimension) => units.fromInternal(1, dimension);
    const aseVelocity = aseFactor(state, species, slots.convention);
    const blocks = [
      ...blocksOfColumns(fields, aseVelocity !== undefined),
      ...blocksOf(wantedFields(state)),
      ...fieldsOfOnesOwn,
    ];
    const copy = copyParticles(grid, contextOf(state), [...new Set(blocks)]);
    if (!output.writes) return;
    const task: FrameTask = {
      ...{ kind: 'extended_xyz', step, time, species, fields },
      options: {
        properties: { step, time },
        fields: fieldsOfOnesOwn,
        // Lengths, times, masses and charges are the user's own (`UnitSystem`).
        factors: {
          forces: factor(dimensions.force),
          energy: factor(dimensions.energy),
          stress: factor(dimensions.energy),
        },
        ...(aseVelocity !== undefined && { aseVelocity }),
      },
    };
    // One frame, such as the last configuration, appears when it is complete; a second one makes it a file that grows.
    const grows = isLooping() || slots.frequency !== undefined || own.frames > 0;
    own.frames++;
    await own.queue.push(copy, grid.count, task, (made) =>
      grows
        ? output.open(slots.file).writePieces(made as Iterable<Uint8Array>)
        : output.writeWhole(slots.file, made as Iterable<Uint8Array>),
    );
    if (!isLooping()) await own.queue.settle();
  },
  async save({ own: { frames, queue } }) {
    await queue.settle();
    return { frames };
  },
  restore({ own }, saved) {
    own.frames = saved.frames;
  },
  async finish({ state, own }) {
    await own.queue.settle();
    tellWaited('write_extended_xyz', state, own.queue.waited);
  },
  // Frames on their way go to their files, also when a run fails.
  dispose: ({ own }) => own.queue.close(),
});

/** What velocities are multiplied by for ASE; undefined where the file is not made for it. */
function aseFactor(
  state: SimulationState,
  species: readonly string[],
  convention: XyzConvention,
): number | undefined {
  const { units } = state.simulation.configuration;
  if (convention === 'plain') return undefined;
  if (convention === 'auto' && !canBeAse(species, units)) return undefined;
  const factor = aseVelocity(units);
  if (factor !== null) return factor;
  throw new CorpuscleError(
    'INVALID_VALUE',
    'convention ase needs lengths in ångström, masses in Dalton and energies in eV, as ASE has them: choose such units, or convention: plain',
  );
}
