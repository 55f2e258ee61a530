import { CorpuscleError, type Dimension, dimensions } from '@corpuscle/core';
import { PvdSeries } from '../../io/vtp/PvdSeries.js';
import { frequencySlot } from '../../run/frequencySlot.js';
import { ledgerKey } from '../../run/stateKeys.js';
import { defineAnalysis } from '../define/defineAnalysis.js';
import { formatVti } from './formatVti.js';
import { projectParticles } from './projectParticles.js';

export const gridProjectionOperator = defineAnalysis({
  name: 'grid_projection',
  doc: 'Maps of particles on the voxels of a sub-divided grid of cells, as VTK images (.vti): density, temperature, any field.',
  slots: {
    fields: {
      type: 'list',
      of: { type: 'string' },
      minLength: 1,
      required: true,
      doc: 'count, density, mass, mass_density, temperature, or fields of the particles, whose mean is taken',
    },
    cell_size: {
      type: 'quantity',
      dimension: dimensions.length,
      above: 0,
      doc: 'least width of a cell; default: cells of eight particles on average',
    },
    subdivisions: { type: 'integer', min: 1, default: 1, doc: 'voxels along each edge of a cell' },
    file: {
      type: 'file',
      mode: 'write',
      required: true,
      doc: 'the image; with frequency the step is put before the ending: map.vti becomes map.100.vti, and map.pvd lists them for ParaView',
    },
    frequency: frequencySlot('images'),
    encoding: {
      type: 'enum',
      values: ['base64', 'ascii'],
      default: 'base64',
      doc: 'how numbers are written',
    },
  },
  every: 'frequency',
  needs: ({ fields }) => (fields.includes('ep') ? ['particle_energies'] : []),
  validate({ slots, fail }) {
    if (slots.file !== undefined && !/\.vti$/i.test(slots.file))
      fail('file', 'INVALID_VALUE', `the image '${slots.file}' does not end in .vti: call it so`);
  },
  prepare: ({ slots: { file, frequency }, state }) =>
    frequency === undefined
      ? null
      : new PvdSeries(file.replace(/\.vti$/i, '.pvd'), (name, pieces) =>
          state.output.writeWhole(name, pieces),
        ),
  finish: ({ own }) => own?.write(),
  async frame({ slots, state, grid, ctx, own }) {
    if (slots.fields.includes('ep')) await state.find(ledgerKey)?.energies();
    const { units } = state.simulation.configuration;
    const map = await projectParticles(grid, ctx, {
      fields: slots.fields,
      cellSize: slots.cell_size,
      subdivisions: slots.subdivisions,
      boltzmann: units.boltzmann,
    }).catch((error: unknown) => {
      if (!(error instanceof CorpuscleError) || error.code !== 'UNKNOWN_FIELD') throw error;
      const names = 'count, density, mass, mass_density, temperature';
      throw new CorpuscleError(
        'UNKNOWN_FIELD',
        `${error.message}; projections also know ${names}`,
        {
          cause: error,
        },
      );
    });
    const factor = (dimension: Dimension): number => units.fromInternal(1, dimension);
    const length = factor(dimensions.length);
    const scales: Record<string, number> = {
      density: length ** -3,
      mass: factor(dimensions.mass),
      mass_density: factor(dimensions.mass) * length ** -3,
      temperature: factor(dimensions.temperature),
    };
    const scaled = (values: readonly number[]) => values.map((x) => x * length) as never;
    const shown = {
      dims: map.dims,
      origin: scaled(map.origin),
      spacing: scaled(map.spacing),
      fields: Object.fromEntries(
        Object.entries(map.fields).map(([name, values]) => {
          const dimension = grid.hasField(name)
            ? grid.block(grid.field(name).block).spec.dimension
            : undefined;
          const scale = scales[name] ?? (dimension ? factor(dimension) : 1);
          return [name, scale === 1 ? values : values.map((x) => x * scale)];
        }),
      ),
    };
    const name = own ? own.member(state.step, '.vti') : slots.file;
    await state.output.writeWhole(name, formatVti(shown, slots.encoding));
    await own?.add(name, state.time);
  },
});
