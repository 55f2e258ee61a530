import { dimensions, type Grid, type SimulationState } from '@corpuscle/core';
import { type ExecutionContext, newestOnHost } from '@corpuscle/patterns';
import { FrameSeries } from './FrameSeries.js';

/** A field in the order of ids. */
export async function fieldById(
  grid: Grid,
  ctx: ExecutionContext,
  name: string,
): Promise<Float64Array> {
  await newestOnHost(grid, ctx, [name, 'id']);
  const values = grid.values(name);
  return Float64Array.from(grid.rowsById(), (row) => values[row]!);
}

/** A file that an analysis adds a line to for each frame: a table of a few numbers, or lines of JSON that also hold arrays by id. */
export interface FrameTable {
  /** Those numbers of all frames. */
  readonly series: FrameSeries;
  /** Adds a frame. `each` is asked for where the file has room for it. */
  add(
    numbers: Readonly<Record<string, number>>,
    each: () => Promise<Readonly<Record<string, ArrayLike<number>>>>,
  ): Promise<void>;
}

/** Opens the file of an analysis, which says its numbers on the terminal where it has none. */
export function frameTable(state: SimulationState, name: string, file?: string): FrameTable {
  const { units } = state.simulation.configuration;
  const out = file === undefined ? null : state.output.open(file);
  const isTable = /\.csv$/i.test(file ?? '');
  const series = new FrameSeries(state, name);
  return {
    series,
    async add(numbers, each) {
      series.add(numbers);
      const row = {
        step: state.step,
        time: units.fromInternal(state.time, dimensions.time),
        ...numbers,
      };
      if (!out) {
        const words = Object.entries(numbers).map(([what, value]) => `${what} ${value}`);
        state.say(`${name}: ${words.join(', ')}`);
      } else if (isTable) {
        if (out.position === 0) out.write(`${Object.keys(row).join(',')}\n`);
        out.write(`${Object.values(row).join(',')}\n`);
      } else {
        const arrays = Object.entries(await each()).map(([what, values]) => [
          what,
          Array.from(values),
        ]);
        out.write(`${JSON.stringify({ ...row, ...Object.fromEntries(arrays) })}\n`);
      }
    },
  };
}

/** The slot of such a file. */
export const frameFileSlot = (what: string, table: string) =>
  ({
    type: 'file',
    mode: 'write',
    doc: `a line of JSON for each frame with ${what} by id, or, called *.csv, a table of ${table}; default: these on the terminal`,
  }) as const;

/** The slot of a plot of its numbers. */
export const framePlotSlot = (table: string) =>
  ({ type: 'file', mode: 'write', doc: `an SVG of ${table} over time` }) as const;
