import { plotSvg } from '../../io/plot/plotSvg.js';
import { PvdSeries } from '../../io/vtp/PvdSeries.js';
import { BlockMeans, type SavedBlocks } from '../averages/BlockMeans.js';
import { defineAnalysis } from '../define/defineAnalysis.js';
import { frameTable } from '../define/perParticleTable.js';
import { withError } from '../define/withError.js';
import { formatVti } from '../grid_projection/formatVti.js';
import { projectFrame, voxelSlots } from '../grid_projection/projectFrame.js';
import { componentTable } from './componentTable.js';
import { labelComponents } from './labelComponents.js';

export const componentsOperator = defineAnalysis({
  name: 'cc_label',
  doc: 'Connected components of the voxels where a value on a grid of cells is above a threshold, or below: labels, counts, volumes and centers. Neighbors across periodic faces are neighbors.',
  slots: {
    field: {
      type: 'string',
      names: 'projection',
      default: 'density',
      doc: 'count, density, mass, mass_density, temperature, or a field of the particles, whose mean is taken',
    },
    threshold: { type: 'number', required: true, doc: 'in the units of the value' },
    side: {
      type: 'enum',
      values: ['above', 'below'],
      default: 'above',
      doc: 'which voxels are labeled: those with more than the threshold, or with less (holes)',
    },
    neighbors: {
      type: 'enum',
      values: ['faces', 'all'],
      default: 'faces',
      doc: 'voxels that hang together: by faces, or also by edges and corners',
    },
    ...voxelSlots,
    file: {
      type: 'file',
      mode: 'write',
      doc: 'a line of JSON for each frame with the components, or, called *.csv, a table of how many there are, their volume and the largest; default: these on the terminal',
    },
    image: {
      type: 'file',
      mode: 'write',
      doc: 'a VTK image (.vti) of value and cc_label for each frame, with its step before the ending; *.pvd lists them',
    },
    plot: { type: 'file', mode: 'write', doc: 'an SVG of how many components there are, by time' },
  },
  needs: ({ field }) => (field === 'ep' ? ['particle_energies'] : []),
  validate({ slots, fail }) {
    if (slots.image !== undefined && !/\.vti$/i.test(slots.image))
      fail('image', 'INVALID_VALUE', `the image '${slots.image}' does not end in .vti: call it so`);
  },
  prepare: ({ slots, state }) => ({
    table: frameTable(state, 'cc_label', slots.file),
    images:
      slots.image === undefined
        ? null
        : new PvdSeries(slots.image.replace(/\.vti$/i, '.pvd'), (name, pieces) =>
            state.output.writeWhole(name, pieces),
          ),
    counts: [] as number[],
    times: [] as number[],
    /** Components, their volume, the largest. */
    means: new BlockMeans(3),
  }),
  async frame({ slots, state, grid, ctx, own }) {
    const map = await projectFrame({ state, grid, ctx }, { ...slots, fields: [slots.field] });
    const values = map.fields[slots.field]!;
    const isAbove = slots.side === 'above';
    const inside = Uint8Array.from(values, (value) =>
      Number(isAbove ? value > slots.threshold : value < slots.threshold),
    );
    const voxels = { dims: map.dims, periodic: grid.domain.periodic };
    const components = labelComponents(voxels, inside, slots.neighbors);
    const rows = componentTable(map, voxels, components, values);
    const volume = rows.reduce((sum, row) => sum + row.volume, 0);
    const largest = rows.reduce((most, row) => Math.max(most, row.volume), 0);
    const numbers = { components: rows.length, volume, largest };
    own.means.add([rows.length, volume, largest]);
    own.counts.push(rows.length);
    own.times.push(state.time);
    const each = (name: 'voxels' | 'volume' | 'mean' | 'x' | 'y' | 'z') =>
      rows.map((row) => row[name]);
    await own.table.add(numbers, async () => ({
      voxels: each('voxels'),
      volumes: each('volume'),
      means: each('mean'),
      x: each('x'),
      y: each('y'),
      z: each('z'),
    }));
    if (!own.images) return;
    const name = own.images.member(state.step, '.vti');
    const fields = { [slots.field]: values, cc_label: Float64Array.from(components.labels) };
    await state.output.writeWhole(name, formatVti({ ...map, fields }));
    await own.images.add(name, state.time);
  },
  save: async ({ own }) => ({
    counts: own.counts,
    times: own.times,
    means: own.means.save(),
    images: (await own.images?.save()) ?? [],
  }),
  restore({ own }, saved: Saved) {
    own.counts.push(...saved.counts);
    own.times.push(...saved.times);
    own.means.restore(saved.means);
    own.images?.restore(saved.images);
  },
  async finish({ slots, state, own }) {
    await own.images?.write();
    if (own.counts.length === 0) return;
    const shown = (k: number) => withError(own.means.mean(k), own.means.error(k));
    state.say(`cc_label: ${shown(0)} components of volume ${shown(1)}, the largest ${shown(2)}`);
    if (slots.plot === undefined) return;
    const { units } = state.simulation.configuration;
    const x = own.times.map((time) => units.fromInternal(time, { time: 1 }));
    const series = [{ name: '', x, y: own.counts }];
    const plot = { title: `Components of ${slots.field}`, x: 'time', y: 'components', series };
    await state.output.writeWhole(slots.plot, plotSvg(plot));
  },
  dispose: ({ own }) => own.images?.write(), // of a run that failed: its images are listed
});

type Saved = {
  readonly counts: readonly number[];
  readonly times: readonly number[];
  readonly means: SavedBlocks;
  readonly images: readonly string[];
};
