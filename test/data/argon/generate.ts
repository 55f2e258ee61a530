// Writes lammps.json: the story of examples/12-argon.yaml, told by LAMMPS with several seeds. From the root of the repository:
//                                                            npx tsx test/data/argon/generate.ts [lmp] [seeds]
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const lmp = process.argv[2] ?? 'lmp';
const seeds = Number(process.argv[3] ?? 128);
const script = fileURLToPath(new URL('in.story', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'corpuscle-argon-'));
const N = 500;
/** Time step in ps, Boltzmann's constant in eV/K, and eV/Å³ in bar. */
const [DT, BOLTZMANN, BAR] = [0.004, 8.617333262e-5, 1.602176634e6];

/** Frames of three numbers for each atom. */
function frames(name: string): Float64Array[] {
  const lines = readFileSync(join(folder, name), 'utf8').trim().split('\n');
  const all: Float64Array[] = [];
  for (let at = 0; at < lines.length; at += N + 9) {
    const frame = new Float64Array(3 * N);
    for (let k = 0; k < N; k++) frame.set(lines[at + 9 + k]!.split(' ').slice(1).map(Number), 3 * k);
    all.push(frame);
  }
  return all;
}

const mean = (values: readonly number[]) => values.reduce((sum, x) => sum + x, 0) / values.length;

/** Mean square displacement up to half of the run, and half the slope per axis over its second half. */
function displacement(all: readonly Float64Array[]): number {
  const lags = Math.floor(all.length / 2);
  const msd = Array.from({ length: lags + 1 }, (_, lag) => {
    let sum = 0;
    for (let t = 0; t + lag < all.length; t++)
      for (let k = 0; k < 3 * N; k++) sum += (all[t + lag]![k]! - all[t]![k]!) ** 2;
    return sum / N / (all.length - lag);
  });
  const late = msd.map((y, lag) => [lag * 25 * DT, y] as const).slice(Math.ceil(lags / 2));
  const [t, y] = [mean(late.map(([x]) => x)), mean(late.map(([, z]) => z))];
  const slope =
    mean(late.map(([x, z]) => (x - t) * (z - y))) / mean(late.map(([x]) => (x - t) ** 2));
  return slope / 6;
}

/** The integral of a function by trapezoids. */
const integral = (values: readonly number[], dx: number) =>
  values.slice(1).reduce((sum, y, k) => sum + ((y + values[k]!) / 2) * dx, 0);

function velocities(all: readonly Float64Array[]): { vacf: number[]; diffusion: number } {
  const vacf = Array.from({ length: 101 }, (_, lag) => {
    let sum = 0;
    for (let t = 0; t + lag < all.length; t += 5)
      for (let k = 0; k < 3 * N; k++) sum += all[t + lag]![k]! * all[t]![k]!;
    return sum / N / Math.ceil((all.length - lag) / 5);
  });
  return { vacf, diffusion: integral(vacf, 5 * DT) / 3 };
}

/** Viscosity in eV ps/Å³ of Green and Kubo: the mean of the five autocorrelations of `fix ave/correlate`, by trapezoids. */
function viscosity(temperature: number, volume: number): number {
  const sacf = rows('sacf.txt', 201).map(([, , , ...shears]) => mean(shears) / BAR ** 2);
  return (integral(sacf, 5 * DT) * volume) / (BOLTZMANN * temperature);
}

/** The last rows of a table of numbers. */
const rows = (name: string, count: number) =>
  readFileSync(join(folder, name), 'utf8')
    .trim()
    .split('\n')
    .slice(-count)
    .map((line) => line.trim().split(/\s+/).map(Number));

function story(seed: number) {
  const argv = ['-in', script, '-var', 'seed', `${seed + 1}`, '-log', 'none', '-screen', 'none'];
  execFileSync(lmp, argv, { cwd: folder });
  const [, temperature, pressure, energy, volume] = rows('means.txt', 1)[0] as [
    number,
    number,
    number,
    number,
    number,
  ];
  const g = rows('rdf.txt', 200).map((row) => row[2]!);
  const { vacf, diffusion } = velocities(frames('v.dump'));
  const msd = displacement(frames('r.dump'));
  const normal = vacf.map((c) => c / vacf[0]!);
  const least = Math.min(...normal);
  return {
    numbers: {
      density: N / volume,
      temperature,
      pressure,
      potential_energy: energy / N,
      peak: Math.max(...g),
      diffusion_msd: msd,
      diffusion_vacf: diffusion,
      diffusion_vacf_less_msd: diffusion - msd,
      vacf_minimum: least,
      vacf_minimum_time: normal.indexOf(least) * 5 * DT,
      viscosity: viscosity(temperature, volume),
    },
    g,
    vacf: normal,
  };
}

const told = Array.from({ length: seeds }, (_, seed) => story(seed));
rmSync(folder, { recursive: true });
/** Mean over seeds, its standard error, and the standard deviation of one seed. */
const spread = (values: readonly number[]) => {
  const center = mean(values);
  const variance = values.reduce((sum, x) => sum + (x - center) ** 2, 0) / (values.length - 1);
  const rounded = (x: number) => Number(x.toPrecision(7));
  return [center, Math.sqrt(variance / values.length), Math.sqrt(variance)].map(rounded);
};
const names = Object.keys(told[0]!.numbers) as (keyof (typeof told)[0]['numbers'])[];
const curve = (of: 'g' | 'vacf') => told[0]![of].map((_, k) => spread(told.map((t) => t[of][k]!)));
const result = {
  seeds,
  numbers: Object.fromEntries(names.map((n) => [n, spread(told.map((t) => t.numbers[n]))])),
  g: curve('g'),
  vacf: curve('vacf'),
};
writeFileSync(new URL('lammps.json', import.meta.url), `${JSON.stringify(result)}\n`);
