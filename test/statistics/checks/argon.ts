import { readFileSync } from 'node:fs';
import { mean } from '../../support/ensembleStatistics.js';
import { columnsOf, meansOf, runFiles, whole } from '../../support/statistics.js';
import { type Backend, below, type Check, type Finding, near } from './Check.js';

/** Mean, its standard error, and the standard deviation of one story. */
type Told = readonly [number, number, number];
/** What `test/data/argon/generate.ts` has written. */
export const toldByLammps: {
  readonly seeds: number;
  readonly numbers: Readonly<Record<string, Told>>;
  readonly g: readonly Told[];
  readonly vacf: readonly Told[];
} = JSON.parse(readFileSync(new URL('../../data/argon/lammps.json', import.meta.url), 'utf8'));

const example = readFileSync(new URL('../../../examples/12-argon.yaml', import.meta.url), 'utf8');
const N = 500;
/** Between points of the velocity autocorrelation, in ps. */
const SPACING = 0.02;
/** An eV in Da Å²/ps², which viscosities have, and a bar in eV/Å³, which pressures have. */
const [EV, BAR] = [9648.533212, 1 / 1.602176634e6];

/** A story in numbers, in the units of LAMMPS, and its curves. */
export interface ArgonStory {
  readonly numbers: Readonly<Record<string, number>>;
  readonly g: readonly number[];
  /** Normalized; the time between its points is `SPACING`. */
  readonly vacf: readonly number[];
}

/** Tells the story of the example, with another seed and a part of its steps. */
export async function argonStory(seed: number, backend: Backend, part = 1): Promise<ArgonStory> {
  const text = example
    .replace('seed: 1964', `seed: ${seed}`)
    .replace(/steps: (\d+)/g, (_, steps: string) => `steps: ${part * Number(steps)}`)
    .replace(/(msd|vacf|means|sacf)\.csv/g, '$1.json');
  const files = await runFiles(text, backend);
  const read = (name: string) => JSON.parse(files[name]!);
  const box = /Lattice="([^"]*)"/.exec(files['last.xyz']!)![1]!.split(' ').map(Number);
  const means = meansOf(files['means.json']!);
  const g = Object.values(columnsOf(files['rdf.csv']!))[1]!;
  const points: { value: number }[] = read('vacf.json').points;
  const vacf = points.map(({ value }) => value / points[0]!.value);
  const least = Math.min(...vacf);
  const diffusion = {
    msd: read('msd.json').diffusion?.value ?? Number.NaN,
    vacf: read('vacf.json').diffusion.value,
  };
  return {
    numbers: {
      density: N / (box[0]! * box[4]! * box[8]!),
      temperature: means.temperature!.mean,
      pressure: means.pressure!.mean / BAR,
      potential_energy: means.potential_energy!.mean / N,
      peak: Math.max(...g),
      diffusion_msd: diffusion.msd,
      diffusion_vacf: diffusion.vacf,
      diffusion_vacf_less_msd: diffusion.vacf - diffusion.msd,
      vacf_minimum: least,
      vacf_minimum_time: SPACING * vacf.indexOf(least),
      viscosity: (read('sacf.json').viscosity?.value ?? Number.NaN) / EV,
    },
    g,
    vacf,
  };
}

/** Points of the velocity autocorrelation that are named one by one: 0.1 ps, 0.2 ps, 0.5 ps and 1 ps. */
const lags = [5, 10, 25, 50];

/** What several stories found beside what LAMMPS finds, in so many standard errors of the difference. */
export function besideLammps(told: readonly ArgonStory[], sigmas: number): Finding[] {
  /** The difference of means over its standard error, with the deviation that LAMMPS finds. */
  const errorOf = ([, error, deviation]: Told) =>
    Math.hypot(error, deviation / Math.sqrt(told.length));
  /** The differences of a curve in standard errors, on average. */
  const spread = (of: 'g' | 'vacf') => {
    const offs = toldByLammps[of].flatMap((known, k) =>
      known[2] > 0
        ? [((mean(told.map((one) => one[of][k]!)) - known[0]) / errorOf(known)) ** 2]
        : [],
    );
    return Math.sqrt(mean(offs));
  };
  const beside = (name: string, known: Told, numberOf: (one: ArgonStory) => number) =>
    near(name, { found: mean(told.map(numberOf)), error: errorOf(known) }, known[0], { sigmas });
  return [
    ...Object.entries(toldByLammps.numbers).map(([name, known]) =>
      beside(name, known, ({ numbers }) => numbers[name]!),
    ),
    ...lags.map((lag) =>
      beside(
        `velocity autocorrelation at ${lag * SPACING} ps`,
        toldByLammps.vacf[lag]!,
        ({ vacf }) => vacf[lag]!,
      ),
    ),
    below('g beside that of LAMMPS, in σ', spread('g'), 2),
    below('velocity autocorrelation beside that of LAMMPS, in σ', spread('vacf'), 2),
  ];
}

const COUNT = whole(8, 1);

/** The story of argon gives what LAMMPS gives on the same story, within two standard errors. */
const argon: Check<ArgonStory> = {
  name: 'the story of argon',
  runs: Array.from(
    { length: COUNT },
    (_, n) => (backend) => argonStory(1964 + n, backend, whole(1, 0.04)),
  ),
  async judge(run) {
    const told = await Promise.all(Array.from({ length: COUNT }, (_, n) => run(n)));
    if (COUNT > 1) return besideLammps(told, 2);
    // In a short form the liquid is not one yet.
    const { g, vacf, numbers } = told[0]!;
    return [
      below('points of g beside those of LAMMPS', g.length - toldByLammps.g.length, 1),
      below('points of the velocity autocorrelation, missing', vacf.length > 10 ? 0 : 1, 1),
      below('density, in 1/Å³', numbers.density!, 0.1),
    ];
  },
};

export const argonChecks = [argon];
