// Writes lammps.json: the story of examples/12-argon.yaml, told by LAMMPS with several seeds. From the root of the repository:
//                                                            npx tsx test/data/argon/generate.ts [lmp] [seeds]
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const lmp = process.argv[2] ?? 'lmp';
const seeds = Number(process.argv[3] ?? 16);
const folder = mkdtempSync(join(tmpdir(), 'corpuscle-argon-'));
const N = 500;
/** Time step in ps, Boltzmann's constant in eV/K, and eV/Å³ in bar. */
const [DT, BOLTZMANN, BAR] = [0.004, 8.617333262e-5, 1.602176634e6];

const input = (seed: number) => [
  'units metal',
  'atom_style atomic',
  'lattice fcc 5.72',
  'region box block 0 5 0 5 0 5',
  'create_box 1 box',
  'create_atoms 1 box',
  'mass 1 39.948',
  'pair_style lj/cut 10.2',
  'pair_coeff 1 1 0.0103235 3.405',
  'pair_modify shift yes',
  'neighbor 1.0 bin',
  'neigh_modify every 1 delay 0 check yes',
  `timestep ${DT}`,
  `velocity all create 188.8 ${1000 + seed} mom yes dist gaussian`,
  'fix 1 all nve',
  `fix 2 all langevin 180 94.4 1.0 ${2000 + seed} zero yes`,
  'run 2500',
  'unfix 2',
  'unfix 1',
  'fix 1 all npt temp 94.4 94.4 0.2 iso 1 1 2.0',
  'run 5000',
  'unfix 1',
  'fix 1 all nve',
  // Also canonical: the package of Bussi's thermostat is not in every binary.
  `fix 2 all langevin 94.4 94.4 0.5 ${3000 + seed} zero yes`,
  'run 2500',
  'unfix 2',
  'reset_timestep 0',
  'compute g all rdf 200 cutoff 10.0',
  'comm_modify cutoff 11.5',
  'fix g all ave/time 50 200 10000 c_g[*] file rdf.txt mode vector',
  'dump r all custom 25 r.dump id xu yu zu',
  'dump v all custom 5 v.dump id vx vy vz',
  'dump_modify r sort id',
  'dump_modify v sort id',
  'thermo 5',
  'thermo_style custom step temp press pe vol pxx pyy pzz pxy pxz pyz',
  'thermo_modify norm no format float %.10g',
  'run 10000',
];

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

/** Viscosity in eV ps/Å³ of Green and Kubo from the five shears, integrated to 200 samples. */
function viscosity(rows: readonly (readonly number[])[]): number {
  const shears = rows.map(([, , , , , xx, yy, zz, xy, xz, yz]) =>
    [xy!, xz!, yz!, (xx! - yy!) / 2, (xx! + yy! - 2 * zz!) / Math.sqrt(12)].map((p) => p / BAR),
  );
  const sacf = Array.from({ length: 201 }, (_, lag) => {
    let sum = 0;
    for (let t = 0; t + lag < shears.length; t++)
      for (let k = 0; k < 5; k++) sum += shears[t]![k]! * shears[t + lag]![k]!;
    return sum / 5 / (shears.length - lag);
  });
  const [temperature, volume] = [mean(rows.map((row) => row[1]!)), rows[0]![4]!];
  return (integral(sacf, 5 * DT) * volume) / (BOLTZMANN * temperature);
}

function story(seed: number) {
  writeFileSync(join(folder, 'in.lmp'), `${input(seed).join('\n')}\n`);
  execFileSync(lmp, ['-in', 'in.lmp', '-log', 'log.lmp', '-screen', 'none'], { cwd: folder });
  const log = readFileSync(join(folder, 'log.lmp'), 'utf8');
  const from = log.lastIndexOf('Step Temp');
  const table = log.slice(log.indexOf('\n', from), log.indexOf('Loop time', from)).trim();
  const rows = table.split('\n').map((line) => line.trim().split(/\s+/).map(Number));
  const column = (k: number) => mean(rows.slice(1).map((row) => row[k]!));
  const rdf = readFileSync(join(folder, 'rdf.txt'), 'utf8').trim().split('\n').slice(4);
  const g = rdf.map((line) => Number(line.trim().split(/\s+/)[2]));
  const { vacf, diffusion } = velocities(frames('v.dump'));
  return {
    numbers: {
      density: N / rows[0]![4]!,
      temperature: column(1),
      pressure: column(2),
      potential_energy: column(3) / N,
      peak: Math.max(...g),
      diffusion_msd: displacement(frames('r.dump')),
      diffusion_vacf: diffusion,
      viscosity: viscosity(rows),
    },
    g,
    vacf: vacf.map((c) => c / vacf[0]!),
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
