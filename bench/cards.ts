// The Lennard-Jones melt on several cards of one host, one rank a card, beside one card in the same run: weak and strong scaling.
//
//   npx tsx bench/cards.ts [--cards 1,2] [--sizes 1M,4M,16M] [--strong 4M] [--seconds 4] [--rounds 1] [--write]
//
// Whole runs of the command, in f32, with a row every tenth part of them. Counted from the rows of the last two thirds of the steps, by
// the times in the log. On one card rows arrive up to some windows of steps late, the last excepted: it is told to be a little faster
// than it is. --sizes are particles of a card, --strong particles in all.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { system } from './melt/system.js';
import { Report } from './support/Report.js';
import { median } from './support/statistics.js';
import { table } from './support/table.js';

const { values: options } = parseArgs({
  options: {
    cards: { type: 'string', default: '1,2' },
    sizes: { type: 'string', default: '1M,4M,16M' },
    strong: { type: 'string', default: '4M' },
    seconds: { type: 'string', default: '4' },
    rounds: { type: 'string', default: '1' },
    limit: { type: 'string', default: '120' },
    write: { type: 'boolean', default: false },
  },
});
const command = fileURLToPath(new URL('../packages/cli/bin/corpuscle.js', import.meta.url));
/** Cubes of fcc cells by name; `16k` is for software adapters. */
const repeats: Readonly<Record<string, number>> = {
  '16k': 16,
  '1M': 64,
  '4M': 100,
  '16M': 159,
  '64M': 252,
};
/** Atom-steps a second of one card, for the number of steps. */
const GUESS = 4e9;

const folder = mkdtempSync(join(tmpdir(), 'corpuscle-cards-'));

interface Run {
  readonly cards: number;
  readonly cells: readonly [number, number, number];
}

const particles = ({ cells }: Run): number => 4 * cells.reduce((product, n) => product * n, 1);

/** Ten rows, and as many steps as take the time that was asked for. */
function stepsOf(run: Run): number {
  const steps = (Number(options.seconds) * GUESS * run.cards) / particles(run);
  return 10 * Math.max(4, Math.ceil(Math.min(steps, 40_000) / 10));
}

/** Seconds a step. */
function measure(run: Run): number {
  const steps = stepsOf(run);
  const file = join(folder, 'melt.yaml');
  const log = join(folder, 'log.jsonl');
  rmSync(log, { force: true });
  const { dt, skin, density, temperature, rcut, seed } = system;
  writeFileSync(
    file,
    `configuration: { units: lj, seed: ${seed} }
global: { dt: ${dt}, rcut_inc: ${skin}, end_iteration: ${steps}, thermo_frequency: ${steps / 10} }
particle_types: { A: { mass: 1 } }
setup_system:
  - lattice: { structure: fcc, density: ${density}, repeat: [${run.cells}], types: [A] }
  - init_temperature: { temperature: ${temperature} }
compute_force: [{ lennard_jones_force: { epsilon: 1, sigma: 1, rcut: ${rcut} } }]
simulation: molecular_dynamics
`,
  );
  const ranks = run.cards > 1 ? ['--ranks', `${run.cards}`] : [];
  const argv = [command, 'run', file, '--backend', 'webgpu', ...ranks, '--log', log, '--quiet'];
  execFileSync(process.execPath, [...argv, '--output', folder, '--overwrite'], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, ...(run.cards === 1 && { CORPUSCLE_DEVICE: '0' }) },
    timeout: 1000 * Number(options.limit),
  });
  const rows = readFileSync(log, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .filter(({ event }) => event === 'row')
    .map((row) => ({ at: Date.parse(row.at), step: Number(row.step ?? row.row?.step) }));
  const [first, last] = [rows.find(({ step }) => step >= steps / 3)!, rows.at(-1)!];
  return (last.at - first.at) / 1000 / (last.step - first.step);
}

/** The same, all runs in turn; a run that fails is told and left out. */
function compare(title: string, runs: readonly Run[], report: Report): void {
  const found = runs.map((run) => ({ run, seconds: [] as number[] }));
  for (let round = 0; round < Number(options.rounds); round++)
    for (const { run, seconds } of found)
      try {
        const found = measure(run);
        seconds.push(found);
        // At once: the table is lost where the bench is ended.
        console.log(
          `${run.cards} cards, ${particles(run)} particles: ${(1000 * found).toFixed(3)} ms a step`,
        );
      } catch (error) {
        report.add(`${run.cards} cards, ${particles(run)} particles: ${(error as Error).message}`);
      }
  const rateOf = ({ run, seconds }: (typeof found)[number]) => particles(run) / median(seconds);
  const measured = found.filter(({ seconds }) => seconds.length > 0);
  const one = measured[0];
  const rows = measured.map((each) => {
    const gain = rateOf(each) / rateOf(one!);
    const { cards } = each.run;
    const efficiency = (100 * gain * one!.run.cards) / cards;
    return [
      cards,
      particles(each.run),
      (1000 * median(each.seconds)).toFixed(3),
      rateOf(each).toExponential(2),
      gain.toFixed(2),
      `${efficiency.toFixed(0)} %`,
    ];
  });
  const head = ['cards', 'particles', 'ms a step', 'atom-steps/s', 'gain', 'of the cards'];
  report.add(`**${title}**\n\n${table(head, rows)}`);
}

const counts = options.cards.split(',').map(Number);
const repeatOf = (size: string): number => {
  const repeat = repeats[size];
  if (repeat === undefined)
    throw new Error(`size ${size}: give some of ${Object.keys(repeats).join(', ')}`);
  return repeat;
};
const report = new Report('cards: a melt on several cards, one rank a card', 'GPU');
for (const size of options.sizes.split(',').filter(Boolean)) {
  const n = repeatOf(size);
  const runs = counts.map((cards): Run => ({ cards, cells: [n * cards, n, n] }));
  compare(`Weak scaling, ${size} particles a card`, runs, report);
}
for (const size of options.strong.split(',').filter(Boolean)) {
  const n = repeatOf(size);
  compare(
    `Strong scaling, ${size} particles in all`,
    counts.map((cards): Run => ({ cards, cells: [n, n, n] })),
    report,
  );
}
report.finish(options.write);
rmSync(folder, { recursive: true, force: true });
