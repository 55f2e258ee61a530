import { type Dimension, dimensions, type Grid } from '@corpuscle/core';
import {
  combined,
  type ExecutionContext,
  newestOnHost,
  reduceCellParticles,
} from '@corpuscle/patterns';
import { plotSvg } from '../../io/plot/plotSvg.js';
import { planKey } from '../../run/stateKeys.js';
import { PendingRows } from '../../run/thermo/PendingRows.js';
import { groupOptions, groupSlot } from '../../sets/group/Groups.js';
import { BlockMeans, type SavedBlocks } from '../averages/BlockMeans.js';
import { defineAnalysis } from '../define/defineAnalysis.js';
import { looksAtFrame } from '../define/looksAtFrame.js';
import { extentOf } from '../pair_histogram/SortedParticles.js';
import { MOST_BINS, profileFunctor } from './profileFunctor.js';

const axes = ['x', 'y', 'z', 'a', 'b', 'c'] as const;
const SUMS = ['count', 'mass', 'px', 'py', 'pz', 'twice'] as const;
const velocity: Dimension = { length: 1, time: -1 };

/** A frame: what each bin sums up, and the volume and width of a bin. */
interface Row {
  readonly sums: Readonly<Record<(typeof SUMS)[number], Float64Array>>;
  readonly volume: number;
  readonly width: number;
  readonly from: number;
}

export const profileOperator = defineAnalysis({
  name: 'profile',
  doc: 'Profiles along an axis of the box, in bins of equal width: number density, mass density, velocity, and temperature of the motion relative to the mean velocity of the bin (over 3N degrees of freedom). Averaged over frames, with errors from blocks of frames.',
  slots: {
    axis: {
      type: 'enum',
      values: axes,
      default: 'z',
      doc: 'the axis of the box, whose vectors a, b and c are also called x, y and z; along open axes bins reach as far as the particles of each frame',
    },
    bins: { type: 'integer', min: 1, max: MOST_BINS, default: 50, doc: 'number of bins' },
    ...groupSlot,
    file: {
      type: 'file',
      mode: 'write',
      required: true,
      doc: 'a table with a line for each bin; JSON when it is called *.json',
    },
    plot: { type: 'file', mode: 'write', doc: 'an SVG of the number density' },
  },
  ...looksAtFrame(),
  prepare({ slots }) {
    const { bins } = slots;
    const own = { means: new BlockMeans(6 * bins), width: 0, from: 0 };
    const rows = new PendingRows<Row>(({ sums, volume, width, from }) => {
      own.width += width;
      own.from += from;
      own.means.add(SUMS.flatMap((name) => Array.from(sums[name], (sum) => sum / volume)));
    });
    return Object.assign(own, { rows });
  },
  async frame({ slots, state, grid, ctx, own }) {
    const { bins, axis, group } = slots;
    const place = await placeOf(grid, ctx, axes.indexOf(axis) % 3);
    const { height, range, ...params } = place;
    const width = range / bins;
    const sums = reduceCellParticles(grid, profileFunctor(bins), {}, ctx, {
      params: { ...params, width },
      ...groupOptions(state, group),
    });
    const row = {
      volume: (grid.domain.volume * range) / bins,
      width: width * height,
      from: params.from * height,
    };
    const added = own.rows.add(
      combined([sums], ([found]) => ({ sums: found as Row['sums'], ...row })),
    );
    return state.find(planKey) ? added : own.rows.flush();
  },
  async save({ own }) {
    await own.rows.flush();
    return { means: own.means.save(), width: own.width, from: own.from };
  },
  restore(
    { own },
    saved: { readonly means: SavedBlocks; readonly width: number; readonly from: number },
  ) {
    own.means.restore(saved.means);
    Object.assign(own, { width: saved.width, from: saved.from });
  },
  async finish({ slots, state, own }) {
    await own.rows.flush();
    const { bins } = slots;
    const { means } = own;
    if (means.samples === 0) return;
    const { units } = state.simulation.configuration;
    const of = (dimension: Dimension) => units.fromInternal(1, dimension);
    const [length, density, speed] = [
      of(dimensions.length),
      of(dimensions.numberDensity),
      of(velocity),
    ];
    const heat = of(dimensions.temperature) / (3 * units.boltzmann);
    const rows = Array.from({ length: bins }, (_, k) => {
      const [n, m, x, y, z, twice] = SUMS.map((_name, part) => means.mean(part * bins + k)) as Six;
      const [drift, rest] = m > 0 ? [speed / m, (x * x + y * y + z * z) / m] : [0, 0];
      return {
        position: (((k + 0.5) * own.width + own.from) / means.samples) * length,
        number_density: n * density,
        error: means.error(k) * density,
        mass_density: m * of(dimensions.massDensity),
        vx: x * drift,
        vy: y * drift,
        vz: z * drift,
        temperature: n > 0 ? ((twice - rest) / n) * heat : 0,
        temperature_error: n > 0 ? (means.error(5 * bins + k) / n) * heat : 0,
      };
    });
    const text = /\.json$/i.test(slots.file)
      ? `${JSON.stringify(rows)}\n`
      : `${Object.keys(rows[0]!).join(',')}\n${rows.map((row) => Object.values(row).join(',')).join('\n')}\n`;
    await state.output.writeWhole(slots.file, text);
    if (slots.plot === undefined) return;
    const x = rows.map(({ position }) => position);
    const series = [{ name: '', x, y: rows.map((row) => row.number_density) }];
    const title = `Profile along ${slots.axis}`;
    await state.output.writeWhole(
      slots.plot,
      plotSvg({ title, x: slots.axis, y: 'number density', series }),
    );
  },
});

type Six = [number, number, number, number, number, number];

/** Along an axis: the covector of its lattice coordinate, where bins begin, how far they reach, and the height of the box. */
async function placeOf(grid: Grid, ctx: ExecutionContext, axis: number) {
  const { domain } = grid;
  const { inverse, origin, heights } = domain;
  const periodic = domain.periodic[axis]! ? 1 : 0;
  let [from, range] = [0, 1];
  if (periodic === 0) {
    await newestOnHost(grid, ctx, ['rx']);
    const { lower, upper } = extentOf({ count: grid.count, domain, block: grid.block('position') });
    from = lower[axis]!;
    range = upper[axis]! - from || 1;
  }
  const [ox, oy, oz] = origin;
  const [x, y, z] = [inverse[axis]!, inverse[3 + axis]!, inverse[6 + axis]!];
  return { ox, oy, oz, x, y, z, from, range, periodic, height: heights[axis]! };
}
