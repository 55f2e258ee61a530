import { readFileSync } from 'node:fs';
import { mean } from '../../support/ensembleStatistics.js';
import { columnsOf, meansOf, runFiles, whole } from '../../support/statistics.js';
import { type Backend, below, type Check, near } from './Check.js';

/** Mean, its standard error, and the standard deviation of one story. */
type Told = readonly [number, number, number];
const lammps: {
  readonly seeds: number;
  readonly numbers: Readonly<Record<string, Told>>;
  readonly g: readonly Told[];
  readonly vacf: readonly Told[];
} = JSON.parse(readFileSync(new URL('../../data/argon/lammps.json', import.meta.url), 'utf8'));

const example = readFileSync(new URL('../../../examples/12-argon.yaml', import.meta.url), 'utf8');
const N = 500;
/** An eV in Da Å²/ps², which viscosities have, and a bar in eV/Å³, which pressures have. */
const [EV, BAR] = [9648.533212, 1 / 1.602176634e6];

/** The story with another seed, as numbers in the units of LAMMPS. */
async function story(seed: number, backend: Backend) {
  const text = example
    .replace('seed: 1964', `seed: ${seed}`)
    .replace(/steps: (\d+)/g, (_, steps: string) => `steps: ${whole(1, 0.04) * Number(steps)}`)
    .replace(/(msd|vacf|means|sacf)\.csv/g, '$1.json');
  const files = await runFiles(text, backend);
  const read = (name: string) => JSON.parse(files[name]!);
  const box = /Lattice="([^"]*)"/.exec(files['last.xyz']!)![1]!.split(' ').map(Number);
  const means = meansOf(files['means.json']!);
  const g = Object.values(columnsOf(files['rdf.csv']!))[1]!;
  const vacf: { value: number }[] = read('vacf.json').points;
  return {
    numbers: {
      density: N / (box[0]! * box[4]! * box[8]!),
      temperature: means.temperature!.mean,
      pressure: means.pressure!.mean / BAR,
      potential_energy: means.potential_energy!.mean / N,
      peak: Math.max(...g),
      diffusion_msd: read('msd.json').diffusion?.value ?? Number.NaN,
      diffusion_vacf: read('vacf.json').diffusion.value,
      viscosity: (read('sacf.json').viscosity?.value ?? Number.NaN) / EV,
    } as Record<string, number>,
    g,
    vacf: vacf.map(({ value }) => value / vacf[0]!.value),
  };
}

type Story = Awaited<ReturnType<typeof story>>;
const COUNT = whole(8, 1);

/** The story of argon gives what LAMMPS gives on the same story, within two standard errors. */
const argon: Check<Story> = {
  name: 'the story of argon',
  runs: Array.from({ length: COUNT }, (_, n) => (backend) => story(1964 + n, backend)),
  async judge(run) {
    const told = await Promise.all(Array.from({ length: COUNT }, (_, n) => run(n)));
    if (COUNT === 1) {
      // In a short form the liquid is not one yet.
      const { g, vacf, numbers } = told[0]!;
      return [
        below('points of g beside those of LAMMPS', g.length - lammps.g.length, 1),
        below('points of the velocity autocorrelation, missing', vacf.length > 10 ? 0 : 1, 1),
        below('density, in 1/Å³', numbers.density!, 0.1),
      ];
    }
    /** The difference of means over its standard error, with the deviation that LAMMPS finds. */
    const errorOf = ([, error, deviation]: Told) => Math.hypot(error, deviation / Math.sqrt(COUNT));
    /** The differences of a curve in standard errors, on average. */
    const spread = (of: 'g' | 'vacf') => {
      const offs = lammps[of].flatMap((known, k) =>
        known[2] > 0
          ? [((mean(told.map((one) => one[of][k]!)) - known[0]) / errorOf(known)) ** 2]
          : [],
      );
      return Math.sqrt(mean(offs));
    };
    return [
      ...Object.entries(lammps.numbers).map(([name, known]) => {
        const found = mean(told.map(({ numbers }) => numbers[name]!));
        return near(name, { found, error: errorOf(known) }, known[0], { sigmas: 2 });
      }),
      below('g beside that of LAMMPS, in σ', spread('g'), 2),
      below('velocity autocorrelation beside that of LAMMPS, in σ', spread('vacf'), 2),
    ];
  },
};

export const argonChecks = [argon];
