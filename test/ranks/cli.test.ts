import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect } from 'vitest';
import { WAITING } from '../support/mpirun.js';
import { itLong, itOnce } from '../support/runs.js';
import { startCli } from '../support/spawnCli.js';
import { rankCases } from './support/rankCases.js';

const folder = mkdtempSync(join(tmpdir(), 'corpuscle-ranks-cli-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const { text } = rankCases['a melt']!;
const file = join(folder, 'melt.yaml');
const env = { ...process.env, ...WAITING, OMPI_MCA_rmaps_base_oversubscribe: '1' };

function run(content: string, ...argv: readonly string[]) {
  writeFileSync(file, content);
  return startCli(['run', file, ...argv], { cwd: folder, env }).ended;
}

itOnce('run --ranks starts the ranks, of which one writes files and tells', async () => {
  const steps = ['--set', 'global.end_iteration=20'];
  const one = await run(text, ...steps, '--output', 'one');
  const three = await run(text, ...steps, '--output', 'three', '--ranks', '3');
  expect(three.code, three.err).toBe(0);
  const tableOf = (out: string) => out.slice(0, out.indexOf('atoms'));
  expect(tableOf(three.out)).toBe(tableOf(one.out));
  expect(three.out).toContain('atoms      500\n');
  expect(readdirSync(join(folder, 'three'))).toEqual(['thermo.csv']);
  const lines = readFileSync(join(folder, 'three', 'thermo.csv'), 'utf8')
    .trim()
    .split('\n');
  expect(lines).toHaveLength(3);
});

itOnce('ranks may run on any core, unless the environment binds them', async () => {
  const launcher = join(folder, 'bin', 'mpirun');
  mkdirSync(join(folder, 'bin'));
  writeFileSync(launcher, '#!/bin/sh\necho "bound to $OMPI_MCA_hwloc_base_binding_policy"\n');
  chmodSync(launcher, 0o755);
  const bound = async (policy: NodeJS.ProcessEnv) => {
    const environment = { ...process.env, PATH: `${join(folder, 'bin')}:${process.env.PATH}` };
    const given = { cwd: folder, env: { ...environment, ...policy } };
    return (await startCli(['run', file, '--ranks', '2'], given).ended).out;
  };
  expect(await bound({})).toBe('bound to none\n');
  expect(await bound({ OMPI_MCA_hwloc_base_binding_policy: 'socket' })).toBe('bound to socket\n');
});

itOnce(
  'says in one sentence which operator cannot run on ranks, before anything is written',
  async () => {
    const own = "export const greet = { name: 'greet', doc: 'Greets.', slots: {}, execute() {} };";
    writeFileSync(join(folder, 'own.mjs'), own);
    const argv = ['--output', 'refused', '--ranks', '2', '--import', join(folder, 'own.mjs')];
    const { code, err } = await run(`${text}dump_data: [greet]\n`, ...argv);
    expect(code).toBe(2);
    expect(err).toMatch(
      /melt\.yaml:\d+:\d+: greet cannot run on several ranks yet: leave it out, or run on one rank/,
    );
    expect(err.match(/cannot run on several ranks/g)).toHaveLength(1);
    // The launcher starts no ranks, of whose end MPI would tell.
    expect(err).not.toContain('MPI');
    expect(readdirSync(folder)).not.toContain('refused');
  },
);

itOnce('deterministic runs give the same bits on any number of ranks and threads', async () => {
  const scheme =
    'numerical_scheme: { nose_hoover: { temperature: 1.2, tau: 0.3, pressure: 5, tau_pressure: 1 } }';
  const frames = 'dump_data: [{ write_extended_xyz: { file: frames.xyz, frequency: 20 } }]';
  const bits = `${text.replace('seed: 4711', 'seed: 4711, deterministic: true')}${scheme}\n${frames}\n`;
  const filesOf = async (ranks: string, threads: string) => {
    const argv = ['--ranks', ranks, '--threads', threads, '--set', 'global.end_iteration=20'];
    const { code, err } = await run(bits, ...argv, '--output', `bits-${ranks}`);
    expect(code, err).toBe(0);
    return ['thermo.csv', 'frames.xyz'].map((name) =>
      readFileSync(join(folder, `bits-${ranks}`, name), 'utf8'),
    );
  };
  expect(await filesOf('3', '1')).toEqual(await filesOf('2', '2'));
});

itLong('runs the simulations of a matrix one after the other, each on all ranks', async () => {
  const matrix = `${text}matrix: { configuration.seed: [1, 2] }\n`;
  const few = ['--set', 'global.end_iteration=20'];
  const { code, err } = await run(matrix, '--output', 'sweep', '--ranks', '2', ...few);
  expect(code, err).toBe(0);
  const tables = readdirSync(join(folder, 'sweep')).map((name) =>
    readFileSync(join(folder, 'sweep', name, 'thermo.csv'), 'utf8'),
  );
  expect(tables).toHaveLength(2);
  expect(tables[0]).not.toBe(tables[1]);
});

itOnce('ends all ranks with a reason when one fails', async () => {
  const wild = text.replace('dt: 0.005', 'dt: 5');
  const { code, err } = await run(wild, '--output', 'wild', '--ranks', '3');
  expect(code).toBe(1);
  expect(err).toMatch(/rank \d: .*the run blew up at step \d+/s);
  expect(err).toMatch(/the last good state known, of step \d+, is in failed.xyz/);
  expect(readFileSync(join(folder, 'wild', 'failed.xyz'), 'utf8').split('\n')).toHaveLength(503);
});
