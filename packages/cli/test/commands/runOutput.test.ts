import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { meltYaml, runCli, Workplace } from '../../../../test/support/runCli.js';
import { runs } from '../../../../test/support/runs.js';

const work = new Workplace();
afterEach(() => work.clear());
afterAll(() => work.remove());

const cpu = ['--backend', 'cpu', '--threads', '1'];

function run(yaml: string, ...options: string[]) {
  work.write({ 'run.yaml': yaml });
  const argv = ['run', work.path('run.yaml'), '--output', work.path('out'), ...cpu, ...options];
  return runCli(argv);
}

const logged = () =>
  readFileSync(work.path('run.log'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

describe('corpuscle run', () => {
  it('says nothing with --quiet, and everything in the lines of --log', async () => {
    const result = await run(meltYaml(), '--quiet', '--log', work.path('run.log'));
    expect(result).toEqual({ code: 0, out: '', err: '' });
    const events = logged();
    expect(events.map(({ event }) => event)).toEqual([...['start', 'row', 'row', 'row', 'end']]);
    expect(events[1]).toMatchObject({ step: 0, temperature: 1.44 });
    expect(events[4]).toMatchObject({ status: 'completed', atoms: 256, steps: 20, threads: 1 });
    for (const { at } of events) expect(new Date(at).toISOString()).toBe(at);
  });

  it('prints lines of JSON alone with --json', async () => {
    const { code, out, err } = await run(meltYaml({ extra: '[measure]' }), '--json');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const events = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { event: string });
    expect(events.map(({ event }) => event)).toEqual([
      ...['start', 'warning', 'row', 'row', 'row', 'end'],
    ]);
    expect(events[1]).toMatchObject({ line: 10, column: 1 });
    expect(events.at(-1)).toMatchObject({ status: 'completed', atoms: 256, steps: 20 });
    const dry = await run(meltYaml(), '--json', '--dry-run');
    expect(JSON.parse(dry.out)).toMatchObject({ atoms: '256', files: 'thermo.csv' });
  });

  it('prints the graph as a tree with --json', async () => {
    work.write({
      'run.yaml': meltYaml({ simulation: '[setup_system, { loop: 2, body: [memory_stats] }]' }),
    });
    const { code, out } = await runCli(['graph', work.path('run.yaml'), '--json']);
    expect(code).toBe(0);
    const { batch, body } = JSON.parse(out);
    expect(batch).toBe('batch');
    expect(body[0].body[0]).toMatchObject({
      operator: 'lattice',
      path: 'setup_system/lattice',
      line: 5,
    });
    expect(body[1]).toMatchObject({ loop: '2', body: [{ operator: 'memory_stats' }], line: 9 });
  });

  it('appends the error of a run that fails to the log', async () => {
    const hot = '{ dt: 5, rcut_inc: 0.3, end_iteration: 20 }';
    const { code } = await run(meltYaml({ global: hot }), '--log', work.path('run.log'));
    expect(code).toBe(1);
    expect(logged().at(-1)).toMatchObject({ event: 'error', code: 'NOT_FINITE' });
  });

  it('refuses a log that cannot be written before anything runs', async () => {
    work.write({ file: '' });
    const { code, err } = await run(meltYaml(), '--log', work.path('file/run.log'));
    expect(code).toBe(2);
    expect(err).toMatch(
      /^corpuscle: cannot write .*run\.log: a part of its path is a file, .* another place with --log\n$/,
    );
    expect(existsSync(work.path('out'))).toBe(false);
  });

  it('makes the folder of a log', async () => {
    expect(await run(meltYaml(), '--log', work.path('logs/a/run.log'))).toMatchObject({ code: 0 });
    expect(existsSync(work.path('logs/a/run.log'))).toBe(true);
  });

  it.skipIf(process.platform !== 'linux').each(['--log', '--trace'])(
    'goes on without %s where its disk is full, and says so once',
    async (option) => {
      const { code, err } = await run(meltYaml(), option, '/dev/full');
      expect({ code, err }).toEqual({
        code: 0,
        err: 'warning: cannot go on writing /dev/full: the disk is full; what was written before is kept; the run goes on without it\n',
      });
    },
  );

  it('draws a column in place of the rows with --plot, at the end where there is no terminal', async () => {
    const { code, out, err } = await run(meltYaml(), '--plot', 'temperature');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/^temperature over time\n +1\.44 │/);
    expect(out).not.toMatch(/potential_energy/);
    expect(out).toMatch(/\natoms +256\n/);
  });

  it('tells with --dry-run what a run takes, and leaves no files', async () => {
    const { code, out, err } = await run(meltYaml(), '--dry-run');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/^files +thermo\.csv\nbackend +cpu, f64, 1 threads\natoms +256\nmemory +/);
    expect(out).toMatch(
      /^lists +cutoff 2\.5, skin 0\.3; built .*\nsteps +20\nspeed .*\ntime +about/m,
    );
    expect(work.files()).toEqual(['run.yaml']);
  });

  it('ends as a signal does when a file stop appears in the output folder', async () => {
    const endless = '{ dt: 0.005, rcut_inc: 0.3, end_iteration: 10000000, thermo_frequency: 100 }';
    const dump = '\n  - checkpoint: { frequency: 1000000 }';
    const timer = setTimeout(() => writeFileSync(work.path('out/stop'), ''), 300);
    const result = await run(meltYaml({ global: endless, dump_data: dump }));
    clearTimeout(timer);
    expect(result.code).toBe(130);
    expect(result.err).toMatch(/^.*stop was found: finishing the step and closing files\n$/);
    const files = work.files();
    expect(files).toContain('out/thermo.csv');
    expect(files.join(' ')).toMatch(/checkpoint/);
    expect(files).not.toContain('out/stop');
  });

  it('does not begin where a file stop is there already', async () => {
    work.write({ 'out/stop': '' });
    const { code, err } = await run(meltYaml());
    expect(code).toBe(2);
    expect(err).toMatch(
      /^corpuscle: .*stop is there, a file that ends runs in this folder: remove it/,
    );
  });
});

describe('the times of a run', () => {
  it('are told by path, and are nearly all of the wall time', async () => {
    const setUp =
      '\n  - lattice: { structure: fcc, density: 0.8442, repeat: [8, 8, 8] }\n  - init_temperature: { temperature: 1.44 }';
    const [steps, least] = runs([20, 92], [500, 95]);
    const set = `global.end_iteration=${steps}`;
    const yaml = meltYaml({ setup_system: setUp });
    // Between two operators other processes may take the processor: nearly all is told by the best of three runs.
    let share = 0;
    for (let k = 0; k < 3 && share <= least; k++) {
      work.clear();
      const { code, out, err } = await run(yaml, '--profile', '--set', set);
      expect({ code, err }).toEqual({ code: 0, err: '' });
      expect(out).toMatch(
        new RegExp(`^molecular_dynamics/\\S+/compute_force/lennard_jones_force +${steps} `, 'm'),
      );
      expect(out).toMatch(/^\(opening the backend\) +1 /m);
      const told = /^([\d.]+) % of [\d.]+ s of wall time$/m.exec(out)!;
      share = Number(told[1]);
      expect(share).toBeLessThan(101);
    }
    expect(share).toBeGreaterThan(least);
  });

  interface TraceEvent {
    readonly ph: string;
    readonly name: string;
    readonly tid: number;
    readonly ts: number;
    readonly dur: number;
    readonly args: { readonly path?: string; readonly operator?: string; readonly name?: string };
  }

  /** Events of a trace, and slices by the name of their track. */
  async function traceOf(...argv: string[]) {
    await run(meltYaml(), '--trace', work.path('trace.json'), ...argv);
    const events = JSON.parse(readFileSync(work.path('trace.json'), 'utf8')) as TraceEvent[];
    const nameOf = (tid: number) =>
      events.find((event) => event.name === 'thread_name' && event.tid === tid)!.args.name!;
    const slices = events.filter(({ ph }) => ph === 'X');
    return {
      events,
      slicesOf: (track: RegExp) => slices.filter(({ tid }) => track.test(nameOf(tid))),
    };
  }

  it('are a trace that Perfetto reads: calls one after the other, kernels of each thread, and counters', async () => {
    const { events, slicesOf } = await traceOf('--threads', '2');
    const calls = slicesOf(/^main thread of 2 threads/);
    const forces = calls.filter(({ name }) => name === 'lennard_jones_force');
    expect(forces).toHaveLength(21);
    expect(forces[0]!.args.path).toMatch(/^molecular_dynamics\/.*\/lennard_jones_force$/);
    calls.slice(1).forEach(({ ts }, k) => {
      expect(ts).toBeGreaterThan(calls[k]!.ts + calls[k]!.dur - 1);
    });
    expect(events.some(({ ph, name }) => ph === 'C' && name === 'busy cores')).toBe(true);
    // Kernels run inside the calls of their operators.
    const kernels = slicesOf(/^(main thread, kernels|thread 1)$/);
    const pairs = kernels.filter(({ name }) => name.includes('lennard_jones'));
    expect(pairs.length).toBeGreaterThan(20);
    for (const { ts, dur, args } of pairs) {
      expect(args.operator).toBe('lennard_jones_force');
      expect(forces.some((call) => ts >= call.ts - 1 && ts + dur <= call.ts + call.dur + 200)).toBe(
        true,
      );
    }
  });
});
