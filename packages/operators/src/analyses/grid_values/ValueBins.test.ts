import { expect, it } from 'vitest';
import { ValueBins } from './ValueBins.js';

/** How many of all values lie between two bounds, by counting. */
const within = (all: readonly number[], low: number, high: number) =>
  all.filter((value) => value >= low && value < high).length / all.length;

it.each([
  ['an even number of bins', 8],
  ['an odd one', 5],
  ['one', 1],
])('values beyond the range of the first frame are counted too: %s', (_, bins) => {
  const frames = [
    [1, 2, 3, 4, 4.5, 5],
    [-7.3, 0.1, 2, 3, 3.3, 11],
    [100, -3, 4, 4.1, 4.2, 4.3],
  ];
  const made = new ValueBins(bins, undefined, undefined);
  for (const frame of frames) made.add(Float64Array.from(frame));
  const { points, width, below, above, frames: count } = made.result()!;
  expect({ below, above, count, bins: points.length }).toEqual({
    below: 0,
    above: 0,
    count: 3,
    bins,
  });
  // The largest value of the first frame is in the bin that ends there.
  const all = frames.flat().map((value) => (value === 5 ? 4.999 : value));
  for (const { value, probability } of points)
    expect(probability * width).toBeCloseTo(within(all, value - width / 2, value + width / 2), 12);
  expect(points.reduce((sum, { probability }) => sum + probability * width, 0)).toBeCloseTo(1, 12);
});

it('frames of one value wait for a range: a perfect crystal is no histogram 1e-12 wide', () => {
  const made = new ValueBins(10, undefined, undefined);
  const crystal = Float64Array.of(0.8442, 0.8442000000000001, 0.8442);
  made.add(crystal);
  made.add(crystal);
  const copy = new ValueBins(10, undefined, undefined);
  copy.restore(made.save());
  for (const bins of [made, copy]) {
    bins.add(Float64Array.of(0.5, 1, 1.5));
    const { points, width, frames } = bins.result()!;
    expect(frames).toBe(3);
    expect(points[0]!.value - width / 2).toBeCloseTo(0.5, 12);
    expect(points[9]!.value + width / 2).toBeCloseTo(1.5, 12);
    expect(points[3]!.probability * width).toBeCloseTo(2 / 3, 12);
    expect(points[9]!.probability * width).toBeCloseTo(1 / 9, 12);
  }
});

it('a run without any range has one around its value, and bounds that are given stay', () => {
  const even = new ValueBins(2, undefined, undefined);
  even.add(Float64Array.of(3, 3));
  const { points, width } = even.result()!;
  expect(points.map(({ probability }) => probability * width)).toEqual([0, 1]);
  const given = new ValueBins(2, 0, 4);
  given.add(Float64Array.of(-1, 1, 3, 4, 9, 9));
  const { below, above } = given.result()!;
  expect(below).toBeCloseTo(1 / 6, 12);
  expect(above).toBeCloseTo(1 / 3, 12);
  expect(new ValueBins(2, 0, 4).result()).toBeNull();
});
