import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createExecutionContext, type ExecutionContext } from '@corpuscle/patterns';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Phase, Session } from './Session.js';

const folder = mkdtempSync(join(tmpdir(), 'corpuscle-session-'));
let context: ExecutionContext;
beforeAll(async () => {
  context = await createExecutionContext({ backend: 'cpu', threads: 1 });
});
afterAll(async () => {
  await context.close();
  rmSync(folder, { recursive: true });
});

const melt = (end: number, { epsilon = 1, wrong = '' } = {}) => ({
  potential: '',
  simulation: `
configuration: { units: lj, seed: 7 }
global: { dt: 0.005, rcut_inc: 0.3, end_iteration: ${end}, thermo_frequency: 1 }
particle_types: { A: { mass: 1.0 } }
setup_system:
  - lattice: { structure: fcc, density: 0.8442, repeat: [4, 4, 4], types: [A] }
  - init_temperature: { temperature: 1.44 }
compute_force:
  - lennard_jones_force: { epsilon: ${epsilon}, sigma: 1.0, rcut: 2.5${wrong} }
simulation: molecular_dynamics
`,
});

/** A session that notes its phases, and lets a test wait for one. */
function noted(output: string) {
  const phases: string[] = [];
  const grids: number[] = [];
  const waiting: { phase: Phase; resolve: () => void }[] = [];
  const notices: string[] = [];
  const session = new Session({
    onNotice: (text) => notices.push(text),
    output: join(folder, output),
    openContext: async () => context,
    onPhase(phase, error) {
      phases.push(error ? `${phase}: ${(error as Error).message}` : phase);
      for (const one of waiting) if (one.phase === phase) one.resolve();
    },
    async onParticles({ count }) {
      grids.push(count);
    },
  });
  const until = async (phase: Phase) => {
    if (session.phase !== phase)
      await new Promise<void>((resolve) => waiting.push({ phase, resolve }));
  };
  const rows = () =>
    readFileSync(join(folder, output, 'thermo.csv'), 'utf8')
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => line.split(',').map(Number));
  return { session, notices, phases, grids, until, rows };
}

describe('a session', () => {
  it('runs a text from its beginning to its end', async () => {
    const { session, phases, grids, until, rows } = noted('whole');
    await session.start(melt(5));
    await until('ended');
    expect(phases).toEqual(['starting', 'running', 'ended']);
    expect(grids).toEqual([256]);
    expect(session.progress).toMatchObject({ step: 5, endStep: 5 });
    expect(rows().map(([step]) => step)).toEqual([0, 1, 2, 3, 4, 5]);
  });

  it('shows the first particles of a text, and writes nothing', async () => {
    const { session, phases, grids, until, rows } = noted('preview');
    await session.preview(melt(5, { wrong: ', epsilom: 1' }));
    await session.preview(melt(5));
    await vi.waitFor(() => expect(grids).toEqual([256]));
    await session.start(melt(5));
    await until('ended');
    expect(grids).toEqual([256, 256]);
    expect(phases).toEqual(['starting', 'running', 'ended']);
    const beside = noted('beside');
    await beside.session.start(melt(5));
    await beside.until('ended');
    expect(rows()).toEqual(beside.rows());
    expect(readdirSync(folder)).not.toContain('.beginning');
  });

  it('tells in a sentence why the beginning of a text is not shown', async () => {
    const { session, notices } = noted('unseen');
    const { simulation, potential } = melt(5);
    await session.preview({ potential, simulation: simulation.replace(/4, 4, 4/, '1, 1, 0') });
    expect(notices).toEqual([]); // a mistake, which the editor marks
    const file = join(folder, 'bad.xyz');
    writeFileSync(file, 'no number\n');
    const bad = simulation.replace(/- lattice.*/, `- read_extended_xyz: { file: ${file} }`);
    await session.preview({ potential, simulation: bad });
    await vi.waitFor(() =>
      expect(notices.join()).toMatch(/^The particles .* shown: .*number of particles/),
    );
    const other = simulation.replace('simulation: molecular_dynamics', 'simulation: [mine]');
    await session.preview({ potential, simulation: other.replace('setup_system', 'mine') });
    expect(notices[1]).toMatch(/seen when the run begins/);
  });

  it('holds a run, lets it do some steps, and ends it', async () => {
    const { session, phases, until, rows } = noted('held');
    await session.start(melt(1000), { held: true });
    await until('paused');
    expect(session.progress.step).toBe(0);
    session.resume(3);
    expect(session.phase).toBe('running');
    await until('paused');
    await session.stop();
    expect(phases).toEqual(['starting', 'paused', 'running', 'paused', 'ended']);
    const steps = rows().map(([step]) => step!);
    expect(steps.slice(0, 4)).toEqual([0, 1, 2, 3]);
    expect(steps.length).toBeLessThan(7);
  });

  it('goes on with other numbers where the run was, as a run that always had them', async () => {
    const { session, until, rows } = noted('retuned');
    await session.start(melt(8), { held: true });
    await until('paused');
    session.resume(4);
    await until('paused');
    session.retune(melt(8, { epsilon: 2 }));
    session.resume();
    await until('ended');
    const table = rows();
    expect(table.map(([step]) => step)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
    // Steps are small: twice the depth of the wells is twice the potential energy.
    expect(table[5]![3]! / table[4]![3]!).toBeCloseTo(2, 1);
    const untouched = noted('untouched');
    await untouched.session.start(melt(8));
    await untouched.until('ended');
    expect(table.slice(0, 5)).toEqual(untouched.rows().slice(0, 5));
  });

  it('runs with a potential that was typed in', async () => {
    const { session, until, rows } = noted('typed');
    const potential = `definePairPotential({
      name: 'mine',
      doc: 'Lennard-Jones once more.',
      coefficients: { depth: { dimension: dimensions.energy, doc: 'depth' } },
      energy: (r, depth) => 4 * depth * (r ** -12 - r ** -6),
    });`;
    const { simulation } = melt(3);
    const use = simulation.replace(/lennard.*/, 'mine_force: { depth: 1, rcut: 2.5 }');
    await session.start({ simulation: use, potential });
    await until('ended');
    const typed = rows();
    const ours = noted('ours');
    await ours.session.start(melt(3));
    await ours.until('ended');
    expect(typed).toHaveLength(4);
    typed.forEach((row, k) => {
      expect(row[3]).toBeCloseTo(ours.rows()[k]![3]!, 8);
    });
    expect(() =>
      session.load({ simulation: use, potential: potential.replace('r ** -6', 'radius') }),
    ).toThrow(/radius/);
  });

  it('refuses a text with mistakes and leaves what runs alone', async () => {
    const { session, until } = noted('mistakes');
    await session.start(melt(1000), { held: true });
    await until('paused');
    const wrong = melt(8, { wrong: ', epsilom: 1' });
    await expect(session.start(wrong)).rejects.toThrow(/epsilom/);
    expect(() => session.retune(wrong)).toThrow(/epsilom/);
    expect(session.phase).toBe('paused');
    await session.stop();
  });

  it('tells why a run has ended early', async () => {
    const { session, phases, until } = noted('failed');
    const { simulation, potential } = melt(50);
    await session.start({ simulation: simulation.replace('dt: 0.005', 'dt: 5'), potential });
    await until('ended');
    expect(phases.at(-1)).toMatch(/^ended: .*(NaN|finite|moved|far|blew)/);
  });
});

it('warns of a matrix, of which the first simulation runs', () => {
  const { session } = noted('matrix');
  const texts = melt(4);
  expect(session.load(texts).warnings).toEqual([]);
  const simulation = `${texts.simulation}matrix: { seed: [1, 2, 3] }\n`;
  expect(session.load({ ...texts, simulation }).warnings).toEqual([
    {
      message: expect.stringMatching(/3 simulations, of which the first runs here/),
      location: { file: 'simulation.yaml', line: 11, column: 1 },
    },
  ]);
});

it('a page tells that it loads no plugins, also where their operators are missing', () => {
  const { session } = noted('plugins');
  const text = `${melt(1).simulation}plugins: ['./mine.js']\n`;
  const { warnings } = session.load({ simulation: text, potential: '' });
  const told = expect.stringMatching(/^the page loads no plugins, so that what '\.\/mine\.js' has/);
  expect(warnings).toMatchObject([{ message: told, location: { line: 11, column: 11 } }]);
  const used = text.replace('lennard_jones_force', 'mine_force');
  expect(() => session.load({ simulation: used, potential: '' })).toThrow(
    expect.objectContaining({
      message: told,
      more: [expect.objectContaining({ message: expect.stringMatching(/'mine_force'/) })],
    }),
  );
});
