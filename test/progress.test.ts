import { UnitSystem } from '@corpuscle/core';
import { describe, expect, it } from 'vitest';
import { BottomLines } from '../packages/cli/src/output/BottomLines.js';
import { duration, formatSpeed, rate, SpeedMeter } from '../packages/cli/src/output/SpeedMeter.js';
import { terminalPlot } from '../packages/cli/src/output/terminalPlot.js';

describe('the speed of a run', () => {
  it.each([
    ['lj', 0.005, '2.2e4 τ/day'],
    ['real', 2, '8.6 ns/day'],
    ['metal', 0.002, '8.6 ns/day'],
  ])('is told with the time that is left, in %s units', (name, dt, day) => {
    const units = UnitSystem.of(name);
    const meter = new SpeedMeter(units);
    expect(meter.at({ step: 0, time: 0, endStep: 1000 }, 1000)).toBeNull();
    const speed = meter.at({ step: 100, time: 100 * dt, endStep: 1000 }, 3000);
    expect(formatSpeed(speed!)).toBe(
      `step 100 of 1000 · 50.0 steps/s · ${day.replace('2.2e4', '21600')} · 18 s left`,
    );
  });

  it('knows no time left where no end is known', () => {
    const meter = new SpeedMeter(UnitSystem.lj);
    meter.at({ step: 0, time: 0 }, 0);
    expect(formatSpeed(meter.at({ step: 1, time: 0 }, 1000)!)).toBe('step 1 · 1.0 steps/s');
  });

  it.each([
    [0.123, '0.12'],
    [12.34, '12.3'],
    [1234.5, '1235'],
    [1.5e8, '1.50e8'],
  ])('%d is written as %s', (value, text) => expect(rate(value)).toBe(text));

  it.each([
    [4.6, '5 s'],
    [125, '2:05 min'],
    [3725, '1:02:05 h'],
    [-1, '0 s'],
  ])('writes %d seconds as %s', (seconds, text) => {
    expect(duration(seconds)).toBe(text);
  });
});

it('draws lines at the bottom of a terminal in place of those that are there, and clears them', () => {
  let text = '';
  const err = (more: string) => {
    text += more;
  };
  const bottom = new BottomLines({ out: () => {}, err, terminal: true, columns: 6 });
  bottom.draw(['first', 'too wide']);
  bottom.draw(['one']);
  bottom.clear();
  bottom.clear();
  expect(text).toBe('\r\x1b[Kfirst\n\r\x1b[Ktoo w\r\x1b[K\x1b[A\x1b[K\r\x1b[Kone\r\x1b[K');
});

it('draws a curve in characters, between its extremes', () => {
  const x = Array.from({ length: 21 }, (_, k) => k);
  const lines = terminalPlot({ title: 'y', x, y: x.map((v) => 2 * v), width: 24, height: 3 });
  expect(lines).toEqual([
    'y',
    '40 │⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⢀⣀⡠⠤⠔⠒⠊',
    '   │⠀⠀⠀⠀⠀⠀⠀⣀⣀⠤⠔⠊⠉⠁',
    ' 0 │⣀⠤⠤⠒⠒⠉⠉',
    '    0                 20',
  ]);
  const flat = terminalPlot({ title: 'y', x: [0], y: [1], width: 20, height: 2 });
  expect(flat).toHaveLength(4);
});
