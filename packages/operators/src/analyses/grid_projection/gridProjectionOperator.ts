import { PvdSeries } from '../../io/vtp/PvdSeries.js';
import { frameSlots, stepsBetween } from '../../run/frameSlots.js';
import { defineAnalysis } from '../define/defineAnalysis.js';
import { formatVti } from './formatVti.js';
import { projectFrame, voxelSlots } from './projectFrame.js';

export const gridProjectionOperator = defineAnalysis({
  name: 'grid_projection',
  doc: 'Maps of particles on the voxels of a sub-divided grid of cells, as VTK images (.vti): density, temperature, any field.',
  slots: {
    fields: {
      type: 'list',
      of: { type: 'string', names: 'projection' },
      minLength: 1,
      required: true,
      doc: 'count, density, mass, mass_density, temperature, or fields of the particles (vx for instance), whose mean is taken',
    },
    ...voxelSlots,
    file: {
      type: 'file',
      mode: 'write',
      required: true,
      doc: 'the image; with every the step is put before the ending: map.vti becomes map.100.vti, and map.pvd lists them for ParaView',
    },
    ...frameSlots('images'),
    encoding: {
      type: 'enum',
      values: ['base64', 'ascii'],
      default: 'base64',
      doc: 'how numbers are written',
    },
  },
  writes: ({ fields }) => (fields?.includes('ep') ? undefined : []),
  needs: ({ fields }) => (fields.includes('ep') ? ['particle_energies'] : []),
  validate({ slots, fail }) {
    if (slots.file !== undefined && !/\.vti$/i.test(slots.file))
      fail('file', 'INVALID_VALUE', `the image '${slots.file}' does not end in .vti: call it so`);
  },
  prepare: ({ slots, state }) =>
    stepsBetween(slots) === undefined
      ? null
      : new PvdSeries(slots.file.replace(/\.vti$/i, '.pvd'), (name, pieces) =>
          state.output.writeWhole(name, pieces),
        ),
  save: async ({ own }) => (own ? own.save() : null),
  restore: ({ own }, saved: readonly string[] | null) => own?.restore(saved ?? []),
  finish: ({ own }) => own?.write(),
  dispose: ({ own }) => own?.write(), // of a run that failed: its images are listed
  async frame({ slots, state, grid, ctx, own }) {
    const map = await projectFrame({ state, grid, ctx }, slots);
    const name = own ? own.member(state.step, '.vti') : slots.file;
    await state.output.writeWhole(name, formatVti(map, slots.encoding));
    await own?.add(name, state.time);
  },
});
