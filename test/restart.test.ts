import { copyFileSync, readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { checkpointed } from './support/restarts.js';
import { runCli, Workplace } from './support/runCli.js';

const place = new Workplace();
beforeEach(() => place.clear());
afterAll(() => place.remove());

const frames = '\n  - write_extended_xyz: { file: frames.xyz, frequency: 10 }';
const dumping = (every: number) =>
  `${frames}\n  - checkpoint: { frequency: ${every} }\n  - coordination: { group_a: all, switch: { type: rational, r_0: 1.2, d_max: 2.2 }, file: cn.csv, frequency: 11 }`;
const melt = (steps: number, every: number): string =>
  checkpointed(steps, every, { dump_data: dumping(every) });
const run = (...more: readonly string[]) =>
  runCli(['run', place.path('in.yaml'), '--output', place.path('out'), '--threads', '1', ...more]);
const text = (name: string) => readFileSync(place.path(`out/${name}`), 'utf8');

describe('corpuscle run --restart', () => {
  it('appends to tables and trajectories, and ends with the same bytes as a run that was never ended', async () => {
    place.write({ 'in.yaml': melt(100, 25) });
    expect((await run()).code).toBe(0);
    const names = ['thermo.csv', 'frames.xyz', 'cn.csv'];
    const whole = names.map(text);
    place.clear();
    place.write({ 'in.yaml': melt(100, 25) });
    expect((await run('--set', 'global.end_iteration=50')).code).toBe(0);
    expect(text('thermo.csv')).not.toBe(whole[0]);
    const again = await run('--restart');
    expect(again.err).toContain('going on from the checkpoint of step 50');
    expect(again.code).toBe(0);
    // The row of step 50, the last of the first run, is not due in the other.
    const rows = text('thermo.csv')
      .split('\n')
      .filter((row) => !row.startsWith('50,'));
    expect(rows.join('\n')).toBe(whole[0]);
    expect(names.slice(1).map(text)).toEqual(whole.slice(1));
  });

  it('leaves no more checkpoints than are asked for, where a run was killed before it removed the oldest', async () => {
    place.write({ 'in.yaml': melt(60, 20) });
    expect((await run()).code).toBe(0);
    const checkpoints = () => readdirSync(place.path('out')).filter((name) => /ckpt$/.test(name));
    expect(checkpoints()).toEqual(['checkpoint.40.ckpt', 'checkpoint.60.ckpt']);
    copyFileSync(place.path('out/checkpoint.40.ckpt'), place.path('out/checkpoint.20.ckpt'));
    const again = await run('--restart');
    expect(again).toMatchObject({ code: 0 });
    expect(again.err).not.toContain('there is no checkpoint');
    expect(checkpoints()).toEqual(['checkpoint.40.ckpt', 'checkpoint.60.ckpt']);
  });

  it.each([
    ['stress_autocorrelation', '{ every: 2, lags: 5, file: a.csv }', 'every: 2', 'every: 4'],
    [
      'mean_square_displacement',
      '{ frequency: 2, origins: 2, file: a.csv }',
      'frequency: 2',
      'frequency: 4',
    ],
  ])(
    'refuses other steps between frames of %s, which counts lags in frames',
    async (name, slots, was, is) => {
      const yaml = checkpointed(10, 10, {
        dump_data: `\n  - ${name}: ${slots}\n  - write_extended_xyz: { file: f.xyz, frequency: 5 }\n  - checkpoint: { frequency: 10 }`,
      });
      place.write({ 'in.yaml': yaml });
      expect(await run()).toMatchObject({ code: 0 });
      // Of frames that are written they may change.
      place.write({ 'in.yaml': yaml.replace('frequency: 5', 'frequency: 3') });
      expect(await run('--restart', '--set', 'global.end_iteration=12')).toMatchObject({ code: 0 });
      place.write({ 'in.yaml': yaml.replace(was, is) });
      const { code, err } = await run('--restart');
      expect(err).toMatch(
        new RegExp(
          `in\\.yaml:\\d+:\\d+: .*${name}\\.${is.replace(': ', ' is ')}, and was 2; correct the input`,
        ),
      );
      expect(code).toBe(2);
    },
  );

  it('takes other steps between frames of one origin, whose lags have steps and times of their own', async () => {
    const yaml = checkpointed(10, 10, {
      dump_data:
        '\n  - mean_square_displacement: { every: 2, file: a.csv }\n  - checkpoint: { frequency: 10 }',
    });
    place.write({ 'in.yaml': yaml });
    expect(await run()).toMatchObject({ code: 0 });
    place.write({ 'in.yaml': yaml.replace('every: 2', 'every: 5') });
    const again = await run('--restart', '--set', 'global.end_iteration=20');
    expect(again).toMatchObject({ code: 0 });
    const steps = text('a.csv').trim().split('\n').slice(1);
    expect(steps.map((row) => Number(row.split(',')[0]))).toEqual([0, 2, 4, 6, 8, 10, 15, 20]);
  });

  it('refuses a folder as a checkpoint in one sentence', async () => {
    place.write({ 'in.yaml': melt(20, 20) });
    const { code, err } = await run('--restart', place.root);
    expect(code).toBe(2);
    expect(err).toBe(
      `corpuscle: the checkpoint ${place.root} cannot be used: it is a folder: give a file in it\n`,
    );
  });
});
