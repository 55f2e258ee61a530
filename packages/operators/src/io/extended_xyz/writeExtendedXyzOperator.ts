import {
  CorpuscleError,
  type Dimension,
  defineOperator,
  dimensions,
  type SimulationState,
} from '@corpuscle/core';
import { newestOnHost } from '@corpuscle/patterns';
import { follow } from '../../analyses/motion/travel.js';
import { frequencySlot } from '../../run/frequencySlot.js';
import { lastGoodKey } from '../../run/LastGoodState.js';
import { contextOf, gridKey, ledgerKey } from '../../run/stateKeys.js';
import { typeNames } from '../../system/placeParticles.js';
import { extendedXyzPieces } from './formatExtendedXyz.js';
import { frameOf, type WriteField, writeFields } from './frameOf.js';
import { aseVelocity, canBeAse, type XyzConvention, xyzConventions } from './xyzConvention.js';

const withoutForces: readonly WriteField[] = ['pos', 'velo', 'id'];
const withForces: readonly WriteField[] = [...withoutForces, 'forces', 'energy'];

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
      doc: 'columns beside the species, in this order; default pos, velo, id, and where there are forces also forces and energy; image (how often a particle has crossed the box) needs a frame before one has gone half a box',
    },
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
  prepare: (): { frames: number } => ({ frames: 0 }),
  async execute({ slots, state, own, isLooping }) {
    const grid = state.get(gridKey);
    const ledger = state.find(ledgerKey);
    const fields =
      (slots.fields as readonly WriteField[] | undefined) ?? (ledger ? withForces : withoutForces);
    if (fields.includes('forces')) state.get(ledgerKey); // zeros would pass for forces
    if (fields.includes('energy')) await state.get(ledgerKey).energies();
    if (fields.includes('image')) follow(grid, contextOf(state));
    await newestOnHost(grid, contextOf(state));
    state.find(lastGoodKey)?.take();
    const types = typeNames(state);
    const { units } = state.simulation.configuration;
    const factor = (dimension: Dimension) => units.fromInternal(1, dimension);
    const frame = frameOf(grid, types, fields, {
      properties: { step: state.step, time: state.time },
      // Lengths, times, masses and charges are the user's own (`UnitSystem`).
      factors: { forces: factor(dimensions.force), energy: factor(dimensions.energy) },
      aseVelocity: aseFactor(state, types, slots.convention),
    });
    const text = extendedXyzPieces(frame);
    // One frame, such as the last configuration, appears when it is complete; a second one makes it a file that grows.
    const grows = isLooping() || slots.frequency !== undefined || own.frames > 0;
    if (grows) await state.output.open(slots.file).writePieces(text);
    else await state.output.writeWhole(slots.file, text);
    own.frames++;
  },
  save: ({ own }) => ({ ...own }),
  restore({ own }, saved) {
    own.frames = saved.frames;
  },
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
