import type { Dataset, Group } from 'h5wasm/node';
import type { H5mdFile } from './H5mdFile.js';

/** A quantity of a file: of all frames, or the same in each. */
export interface Quantity {
  readonly value: Dataset;
  /** Steps by frame; null for what is the same in each. */
  readonly steps: Series | null;
}

/** Steps or times at which a quantity was sampled. */
export interface Series {
  readonly length: number;
  at(frame: number): number;
  /** The frame of a step, −1 for none. */
  find(step: number): number;
}

/** A dataset that holds for all frames, or a group with value and step; null for anything else. */
export function quantityOf(file: H5mdFile, name: string, group: Group | Dataset): Quantity | null {
  const found = file.find(name, group);
  if (file.isDataset(found)) return { value: found, steps: null };
  if (!found) return null;
  const value = file.find('value', found);
  if (!file.isDataset(value)) return null;
  const steps = file.find('step', found);
  if (!file.isDataset(steps)) return null;
  const frames = file.shape(value)[0] ?? 0;
  return { value, steps: seriesOf(file, steps, frames) };
}

function seriesOf(file: H5mdFile, dataset: Dataset, frames: number): Series {
  if (file.shape(dataset).length === 0) return evenSeries(file, dataset, frames);
  const all = file.numbers(dataset);
  return {
    length: Math.min(all.length, frames),
    at: (frame) => all[frame]!,
    find: (step) => all.indexOf(step),
  };
}

/** A series of which the file has the increment, and perhaps the offset. */
export function evenSeries(file: H5mdFile, dataset: Dataset, frames: number): Series {
  const [increment] = file.numbers(dataset);
  const offset = Number(file.attribute(dataset, 'offset') ?? 0);
  return {
    length: frames,
    at: (frame) => offset + frame * increment!,
    find: (step) => {
      const frame = (step - offset) / increment!;
      return Number.isInteger(frame) && frame >= 0 && frame < frames ? frame : -1;
    },
  };
}

/** Where a quantity has this step: null where it is the same in all frames, NaN where it has none. */
export function frameOf({ steps }: Quantity, k: number, step: number): number | null {
  if (!steps) return null;
  const frame = k < steps.length && steps.at(k) === step ? k : steps.find(step);
  return frame >= 0 && frame < steps.length ? frame : Number.NaN;
}
