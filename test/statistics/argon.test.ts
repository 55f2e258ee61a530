import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { mean } from '../support/ensembleStatistics.js';
import { columnsOf, meansOf, patience, report, runFiles, whole } from '../support/statistics.js';

/** Mean, its standard error, and the standard deviation of one story. */
type Told = readonly [number, number, number];
const lammps: {
  readonly seeds: number;
  readonly numbers: Readonly<Record<string, Told>>;
  readonly g: readonly Told[];
  readonly vacf: readonly Told[];
} = JSON.parse(readFileSync(new URL('../data/argon/lammps.json', import.meta.url), 'utf8'));

const example = readFileSync(new URL('../../examples/12-argon.yaml', import.meta.url), 'utf8');
const N = 500;
/** An eV in Da Å²/ps², which viscosities have, and a bar in eV/Å³, which pressures have. */
const [EV, BAR] = [9648.533212, 1 / 1.602176634e6];

/** The story with another seed, as numbers in the units of LAMMPS. */
async function story(seed: number) {
  const text = example
    .replace('seed: 1964', `seed: ${seed}`)
    .replace(/steps: (\d+)/g, (_, steps: string) => `steps: ${whole(1, 0.04) * Number(steps)}`)
    .replace(/(msd|vacf|means|sacf)\.csv/g, '$1.json');
  const read = await runFiles(text);
  const box = /Lattice="([^"]*)"/.exec(read('last.xyz'))![1]!.split(' ').map(Number);
  const means = meansOf(read('means.json'));
  const g = Object.values(columnsOf(read('rdf.csv')))[1]!;
  const vacf: { value: number }[] = JSON.parse(read('vacf.json')).points;
  return {
    numbers: {
      density: N / (box[0]! * box[4]! * box[8]!),
      temperature: means.temperature!.mean,
      pressure: means.pressure!.mean / BAR,
      potential_energy: means.potential_energy!.mean / N,
      peak: Math.max(...g),
      diffusion_msd: JSON.parse(read('msd.json')).diffusion?.value ?? Number.NaN,
      diffusion_vacf: JSON.parse(read('vacf.json')).diffusion.value,
      viscosity: (JSON.parse(read('sacf.json')).viscosity?.value ?? Number.NaN) / EV,
    } as Record<string, number>,
    g,
    vacf: vacf.map(({ value }) => value / vacf[0]!.value),
  };
}

it(
  'the story of argon gives what LAMMPS gives on the same story, within two standard errors',
  async () => {
    const count = whole(8, 1);
    const told: Awaited<ReturnType<typeof story>>[] = [];
    for (let n = 0; n < count; n++) told.push(await story(1964 + n));
    /** The difference of means over its standard error, with the deviation that LAMMPS finds. */
    const offOf = (values: readonly number[], [center, error, deviation]: Told) =>
      (mean(values) - center) / Math.hypot(error, deviation / Math.sqrt(count));
    const offs = Object.fromEntries(
      Object.entries(lammps.numbers).map(([name, known]) => {
        const values = told.map(({ numbers }) => numbers[name]!);
        report(name, { here: mean(values), LAMMPS: known[0], off: offOf(values, known) });
        return [name, offOf(values, known)];
      }),
    );
    const curve = (of: 'g' | 'vacf') =>
      lammps[of].flatMap((known, k) =>
        known[2] > 0
          ? [
              offOf(
                told.map((one) => one[of][k]!),
                known,
              ) ** 2,
            ]
          : [],
      );
    if (count === 1) {
      // In a short form the liquid is not one yet.
      expect(offs.density).not.toBeNaN();
      expect(told[0]!.g).toHaveLength(lammps.g.length);
      expect(told[0]!.vacf.length).toBeGreaterThan(10);
      return;
    }
    for (const [name, off] of Object.entries(offs)) expect(Math.abs(off), name).toBeLessThan(2);
    // Of two curves the differences are of the size of their errors, on average.
    const spread = { g: Math.sqrt(mean(curve('g'))), vacf: Math.sqrt(mean(curve('vacf'))) };
    report('curves, in standard errors', spread);
    expect(spread.g).toBeLessThan(2);
    expect(spread.vacf).toBeLessThan(2);
  },
  patience,
);
