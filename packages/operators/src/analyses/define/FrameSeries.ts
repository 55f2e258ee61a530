import { dimensions, type SimulationState } from '@corpuscle/core';
import { plotSvg } from '../../io/plot/plotSvg.js';
import { BlockMeans, type SavedBlocks } from '../averages/BlockMeans.js';
import { withError } from './withError.js';

/** What a checkpoint holds of a series. */
export type SavedSeries = {
  readonly names: readonly string[];
  readonly times: readonly number[];
  readonly rows: readonly (readonly number[])[];
  readonly means: SavedBlocks;
} | null;

/** A few numbers of every frame: at the end their means, with errors from blocks of frames, and a plot over time. */
export class FrameSeries {
  readonly #state: SimulationState;
  readonly #title: string;
  #names: readonly string[] = [];
  #times: number[] = [];
  #rows: (readonly number[])[] = [];
  #means: BlockMeans | null = null;

  constructor(state: SimulationState, title: string) {
    this.#state = state;
    this.#title = title;
  }

  /** Adds a frame at the present time; all frames have the same names. */
  add(numbers: Readonly<Record<string, number>>): void {
    this.#names = Object.keys(numbers);
    this.#times.push(this.#state.time);
    this.#rows.push(Object.values(numbers));
    this.#means ??= new BlockMeans(this.#names.length);
    this.#means.add(Object.values(numbers));
  }

  save(): SavedSeries {
    if (!this.#means) return null;
    return {
      names: this.#names,
      times: this.#times,
      rows: this.#rows,
      means: this.#means.save(),
    };
  }

  /** Goes on from what `save` gave. */
  restore(saved: SavedSeries): void {
    if (!saved) return;
    this.#names = saved.names;
    this.#times = [...saved.times];
    this.#rows = [...saved.rows];
    this.#means = new BlockMeans(saved.names.length);
    this.#means.restore(saved.means);
  }

  /** Says the means of several frames, and writes the plot where one is asked for. */
  async finish(plot: string | undefined): Promise<void> {
    const means = this.#means;
    if (!means) return;
    if (means.samples > 1) {
      const shown = this.#names.map(
        (name, k) => `${name} ${withError(means.mean(k), means.error(k), 6)}`,
      );
      this.#state.say(`${this.#title}, mean of ${means.samples} frames: ${shown.join(', ')}`);
    }
    if (plot === undefined) return;
    const { units } = this.#state.simulation.configuration;
    const x = this.#times.map((time) => units.fromInternal(time, dimensions.time));
    const series = this.#names.map((name, k) => ({ name, x, y: this.#rows.map((row) => row[k]!) }));
    const drawn = { title: this.#title, x: 'time', y: '', series };
    await this.#state.output.writeWhole(plot, plotSvg(drawn));
  }
}
