import { readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { readCheckpoint } from '@corpuscle/core';
import { afterAll, afterEach, describe, expect } from 'vitest';
import { formatOf, readFrames } from '../support/frames.js';
import { meltYaml, runCli, Workplace } from '../support/runCli.js';
import { itLong, itOnce } from '../support/runs.js';
import { startCli } from '../support/spawnCli.js';

const work = new Workplace();
afterEach(() => work.clear());
afterAll(() => work.remove());

const argv = ['run', 'run.yaml', '--backend', 'cpu', '--threads', '1', '--output', 'out'];
/** In this process, which a run that blows up does not end. */
const runHere = () =>
  runCli(['run', work.path('run.yaml'), '--backend', 'cpu', '--output', work.path('out')]);
const read = (name: string) => readFileSync(work.path(name), 'utf8');
const endless = (dump: string) =>
  meltYaml({
    global: '{ dt: 0.001, end_iteration: 100000000, thermo_frequency: 10 }',
    dump_data: dump,
  });
const frames = '\n  - write_extended_xyz: { file: frames.xyz, frequency: 10 }';

/** The step of a frame of 256 particles whose numbers are finite. */
function stepOfGoodFrame(text: string): number {
  const lines = text.trimEnd().split('\n');
  expect(lines).toHaveLength(258);
  for (const line of lines.slice(2))
    expect(
      line
        .split(' ')
        .slice(1)
        .every((word) => Number.isFinite(Number(word))),
    ).toBe(true);
  return Number(/ step=(\d+)/.exec(lines[1]!)![1]);
}

describe('a run that fails', () => {
  itOnce('by losing the box of a barostat says so', async () => {
    const scheme = `numerical_scheme: { nose_hoover: { temperature: 1, tau: 0.3, pressure: 1, tau_pressure: 2 } }\n`;
    const yaml = meltYaml({ global: '{ dt: 10, end_iteration: 200, thermo_frequency: 1 }' });
    work.write({ 'run.yaml': yaml + scheme });
    const { code, err } = await runHere();
    expect(code).toBe(1);
    expect(err).toMatch(
      /^\S+run\.yaml:\d+:\d+: the run blew up: the lengths of its box are no numbers any more; lower dt/m,
    );
  });

  itOnce(
    'by blowing up keeps its files, says where in one sentence, and writes the last good state',
    async () => {
      const yaml = meltYaml({ global: '{ dt: 5, end_iteration: 200, thermo_frequency: 1 }' });
      work.write({ 'run.yaml': yaml });
      const { code, err } = await runHere();
      expect(code).toBe(1);
      expect(err).toMatch(
        /the run blew up at step \d+ at particle \d+: its \w+ is [^\n]*, as \w+ has found; [^\n]*; the last good state known, of step 0, is in failed\.xyz/,
      );
      expect(err).not.toMatch(/\n {4}at /);
      expect(work.files()).toEqual(['out/failed.xyz', 'out/thermo.csv', 'run.yaml']);
      expect(read('out/thermo.csv')).toMatch(/^step,.*\n0,.*\n/);
      expect(stepOfGoodFrame(read('out/failed.xyz'))).toBe(0);
    },
  );

  itLong('by an operator of the user writes a state that is some seconds old', async () => {
    work.write({
      'run.yaml': meltYaml({
        global: '{ dt: 0.001, end_iteration: 100000000, thermo_frequency: 1000 }',
        dump_data: '\n  - custom',
      }),
      // Fails after five seconds.
      'custom.mjs': `const begin = performance.now();
        export const custom = { name: 'custom', doc: 'Fails.', slots: {},
          execute() { if (performance.now() - begin > 5000) throw new Error('no luck'); } };`,
    });
    const own = [...argv, '--import', 'custom.mjs'];
    const { code, err } = await startCli(own, { cwd: work.root }).ended;
    expect(code).toBe(1);
    const step = /operator \S+\/custom failed: Error: no luck.*, of step (\d+), is in/.exec(
      err,
    )![1];
    expect(Number(step)).toBeGreaterThan(0);
    expect(stepOfGoodFrame(read('out/failed.xyz'))).toBe(Number(step));
  });

  itOnce('for want of addresses says so in one sentence', async () => {
    work.write({ 'run.yaml': meltYaml() });
    const shell = 'ulimit -v 8000000 || exit 77; exec "$@"';
    const { code, err } = await startCli(argv, { cwd: work.root, shell }).ended;
    if (code === 77) return; // this system does not limit addresses
    expect({ code, err }).toEqual({
      code: 1,
      err: expect.stringMatching(
        /^corpuscle: the system gives no memory: .*; look at ulimit -v\n$/,
      ),
    });
    expect(work.files()).toEqual(['run.yaml']);
  });

  itOnce.each([
    ['removed', (from: string) => rmSync(from, { recursive: true })],
    ['renamed', (from: string) => renameSync(from, `${from}2`)],
  ])('because its folder was %s ends within seconds and says so', async (_, change) => {
    work.write({ 'run.yaml': endless(frames) });
    const run = startCli(argv, { cwd: work.root });
    await run.printed(/\n +50 /);
    change(work.path('out'));
    const begin = performance.now();
    const { code, err } = await run.ended;
    expect(performance.now() - begin).toBeLessThan(4000);
    expect(code).toBe(1);
    expect(err).toMatch(/cannot go on writing \S+: it has been removed or renamed while the run/);
    const told = err.match(/cannot go on writing \S+/g)!;
    expect(new Set(told).size, 'each file is told once').toBe(told.length);
    expect(err).not.toMatch(/\n {4}at /);
  });
});

/** Every frame of 256 particles and every row is complete. */
function expectCompleteRecords(folder: string): void {
  const table = read(`${folder}/thermo.csv`);
  expect(table.endsWith('\n')).toBe(true);
  for (const line of table.trimEnd().split('\n')) expect(line.split(',')).toHaveLength(13);
  const lines = read(`${folder}/frames.xyz`).split('\n');
  expect(lines.pop()).toBe('');
  expect(lines.length).toBeGreaterThan(258);
  expect(lines.length % 258).toBe(0);
}

describe('a full disk', () => {
  itOnce('ends the run, and leaves complete rows and frames', async () => {
    work.write({ 'run.yaml': endless(frames), 'done/result.json': '{}' });
    const limited = { cwd: work.root, shell: 'ulimit -f 400; exec "$@"' };
    const { code, err } = await startCli(argv, limited).ended;
    expect(code).toBe(1);
    expect(err).toMatch(
      /cannot go on writing \S+frames\.xyz: the file is as large as files may be/,
    );
    expect(err.match(/cannot go on writing/g)).toHaveLength(1); // told once, with or without the line of the file
    expect(err).not.toMatch(/\n {4}at /);
    expectCompleteRecords('out');
    expect(read('done/result.json')).toBe('{}');
  });

  /** Runs on a file system of 2 MB. A name space of its own: the mount goes with it, so the files are copied to `kept`. */
  async function runOnSmallDisk() {
    const inside = `mkdir small && mount -t tmpfs -o size=2m tmpfs small || exit 77
      "$@"; code=$?; cp -r small kept; exit $code`;
    const small = argv.with(-1, 'small');
    const shell = `unshare -Urm bash -c '${inside}' - "$@"`;
    return startCli(small, { cwd: work.root, shell }).ended;
  }
  const mayNotMount = (err: string) => /unshare|mount/.test(err);

  itOnce('of a small file system too, where it can be made', async ({ skip }) => {
    work.write({ 'run.yaml': endless(frames) });
    const { code, err } = await runOnSmallDisk();
    if (mayNotMount(err)) skip();
    expect(code, err).toBe(1);
    expect(err).toMatch(
      /cannot go on writing \S+: the disk is full; what was written before is kept/,
    );
    expectCompleteRecords('kept');
  });

  itLong.for([
    ['gsd', 'write_gsd: { file: a.gsd, frequency: 10 }', 'a.gsd'],
    ['dcd', 'write_dcd: { file: a.dcd, frequency: 10 }', 'a.dcd'],
    ['xtc', 'write_xtc: { file: a.xtc, frequency: 10 }', 'a.xtc'],
    ['h5md', 'write_h5md: { file: a.h5md, frequency: 10 }', 'a.h5md'],
    ['lammps_dump', 'write_lammps_dump: { file: a.dump.gz, frequency: 10 }', 'a.dump.gz'],
  ] as const)('leaves whole frames of %s, in order', async ([name, line, file], { skip }) => {
    work.write({ 'run.yaml': endless(`\n  - ${line}`) });
    const { code, err } = await runOnSmallDisk();
    if (mayNotMount(err)) skip();
    expect(code, err).toBe(1);
    expect(err).toMatch(/cannot go on writing \S+: the disk is full/);
    const { frames, notes } = await readFrames(formatOf(name), work.path(`kept/${file}`));
    expect(notes.filter((note) => !/mark that gzip puts/.test(note))).toEqual([]);
    expect(frames.length).toBeGreaterThan(20);
    for (const [k, frame] of frames.entries()) {
      expect(frame.count).toBe(256);
      if (frame.step !== undefined) expect(frame.step).toBe(10 * k);
    }
  });

  itLong('leaves whole checkpoints and images', async ({ skip }) => {
    const lines = ['checkpoint: { frequency: 10, keep: 99 }', 'write_vtp: { file: a.pvd }'];
    work.write({ 'run.yaml': endless(lines.map((line) => `\n  - ${line}`).join('')) });
    const { code, err } = await runOnSmallDisk();
    if (mayNotMount(err)) skip();
    expect(code, err).toBe(1);
    expect(err).toMatch(/cannot write \S+: the disk is full/);
    const names = readdirSync(work.path('kept'));
    expect(names.filter((name) => name.startsWith('.'))).toEqual([]);
    const checkpoints = names.filter((name) => name.endsWith('.ckpt'));
    expect(checkpoints.length).toBeGreaterThan(1);
    for (const name of checkpoints) await readCheckpoint(work.path(`kept/${name}`));
    for (const name of names.filter((one) => one.endsWith('.vtp')))
      expect(read(`kept/${name}`).endsWith('</VTKFile>\n')).toBe(true);
  });
});

itOnce('a run that blows up lists the frames for ParaView that it has written', async () => {
  work.write({
    'run.yaml': meltYaml({
      global: '{ dt: 0.08, end_iteration: 200, thermo_frequency: 1 }',
      dump_data: '\n  - write_vtp: { file: a.pvd, frequency: 1 }',
    }),
  });
  expect((await runHere()).code).toBe(1);
  const written = work.files().filter((name) => name.endsWith('.vtp'));
  expect(written.length).toBeGreaterThan(1);
  expect(read('out/a.pvd').match(/a\.\d+\.vtp/g)).toHaveLength(written.length);
});
