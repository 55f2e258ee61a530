// Writes the reference files of this folder with LAMMPS.     npx tsx test/data/analyses/generate.ts [path of lmp]
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const lmp = process.argv[2] ?? 'lmp';
const here = fileURLToPath(new URL('.', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'corpuscle-analyses-'));
const at = (name: string) => join(folder, name);
const run = (lines: readonly string[]) => {
  writeFileSync(at('in.run'), `${lines.join('\n')}\n`);
  execFileSync(lmp, ['-in', 'in.run', '-log', 'none', '-screen', 'none'], { cwd: folder });
};
/** Rows of numbers of a file of `fix ave/time`. */
const rows = (name: string) =>
  readFileSync(at(name), 'utf8')
    .trim()
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .map((line) => line.trim().split(/\s+/).map(Number));

// A hot gas in a tilted box: many particles cross its faces.
run([
  'units lj',
  'lattice fcc 0.5',
  'region box prism 0 3 0 3 0 4 0.7 -0.4 0.5',
  'create_box 1 box',
  'create_atoms 1 box',
  'mass 1 1',
  'pair_style lj/cut 2.2',
  'pair_coeff 1 1 1 1',
  'velocity all create 6 4711 mom yes',
  'fix 1 all nve',
  'run 200',
  'reset_timestep 0',
  'write_data gas.data nocoeff pair ij',
]);
writeFileSync(join(here, 'gas.data'), readFileSync(at('gas.data')));
const columns = '[1] c_msd[2] c_msd[3] c_msd[4] c_vacf[1] c_vacf[2] c_vacf[3] c_vacf[4]';
run([
  'units lj',
  `read_data ${here}gas.data`,
  'pair_style lj/cut 2.2',
  'pair_coeff 1 1 1 1',
  'neighbor 0.3 bin',
  'neigh_modify every 1 delay 0 check yes',
  'timestep 0.005',
  'compute msd all msd',
  'compute vacf all vacf',
  `fix out all ave/time 20 1 20 c_msd${columns} file motion.txt format " %.15g"`,
  'fix 1 all nve',
  'run 400',
]);
const motion = rows('motion.txt').map(([step, x, y, z, msd, vx, vy, vz, vacf]) => ({
  step,
  msd: [x, y, z, msd],
  vacf: [vx, vy, vz, vacf],
}));
writeFileSync(join(here, 'motion.json'), `${JSON.stringify({ dt: 0.005, motion })}\n`);

// In a box that is sheared along two directions, and flips.
run([
  'units lj',
  'box tilt large',
  `read_data ${here}gas.data`,
  'pair_style lj/cut 2.2',
  'pair_coeff 1 1 1 1',
  'neighbor 0.3 bin',
  'neigh_modify every 1 delay 0 check yes',
  'timestep 0.005',
  'compute msd all msd',
  'fix 1 all nve',
  'fix 2 all deform 1 xy erate 2 xz erate 1.1 remap x',
  'fix out all ave/time 20 1 20 c_msd[1] c_msd[2] c_msd[3] c_msd[4] file flips.txt format " %.15g"',
  'dump out all custom 200 flips.dump id xu yu zu',
  'dump_modify out sort id first no format float %.15g',
  'run 200',
]);
const unwrapped = readFileSync(at('flips.dump'), 'utf8').trim().split('\n').slice(-144);
const flips = {
  msd: rows('flips.txt').map(([, x, y, z, all]) => [all, x, y, z]),
  unwrapped: unwrapped.map((line) => line.split(' ').slice(1, 4).map(Number)),
};
writeFileSync(join(here, 'flips.json'), `${JSON.stringify(flips)}\n`);

// Pressures by `fix ave/correlate`, which averages each lag over all pairs of samples, and the heat flux itself.
run([
  'units lj',
  `read_data ${here}gas.data`,
  'pair_style lj/cut 2.2',
  'pair_coeff 1 1 1 1',
  'neighbor 0.3 bin',
  'neigh_modify every 1 delay 0 check yes',
  'timestep 0.005',
  'variable p1 equal pxy',
  'variable p2 equal pxz',
  'variable p3 equal pyz',
  'variable p4 equal (pxx-pyy)/2',
  'variable p5 equal (pxx+pyy-2*pzz)/sqrt(12)',
  'fix s all ave/correlate 4 21 400 v_p1 v_p2 v_p3 v_p4 v_p5 type auto ave running file sacf.txt',
  'compute ke all ke/atom',
  'compute pe all pe/atom',
  'compute virial all stress/atom NULL virial',
  'compute heat all heat/flux ke pe virial',
  'variable temperature equal temp',
  'variable volume equal vol',
  'fix out all ave/time 4 1 4 v_temperature v_volume c_heat[1] c_heat[2] c_heat[3] file heat.txt format " %.15g"',
  'fix 1 all nve',
  'run 400',
]);
const samples = rows('heat.txt');
const greenKubo = {
  volume: samples[0]![2],
  temperatures: samples.map(([, temperature]) => temperature),
  /** By lag: the mean of the five shears. */
  sacf: rows('sacf.txt')
    .slice(-21)
    .map(([, , , ...shears]) => shears.reduce((a, b) => a + b) / 5),
  /** Times the volume. */
  heat: samples.map(([, , , ...flux]) => flux),
};
writeFileSync(join(here, 'greenKubo.json'), `${JSON.stringify(greenKubo)}\n`);

// Velocities beyond 2 are shortened.
run([
  'units lj',
  `read_data ${here}gas.data`,
  'pair_style lj/cut 2.2',
  'pair_coeff 1 1 1 1',
  'neighbor 0.3 bin',
  'neigh_modify every 1 delay 0 check yes',
  'timestep 0.005',
  'thermo_modify norm no',
  'variable pe equal pe',
  'fix out all ave/time 20 1 20 v_pe file limit.txt format " %.15g"',
  'fix 1 all nve/limit 0.01',
  'run 100',
  'write_dump all custom limit.dump id xu yu zu modify sort id format float %.17g',
]);
const positions = readFileSync(at('limit.dump'), 'utf8')
  .trim()
  .split('\n')
  .slice(9)
  .map((line) => line.split(' ').slice(1, 4).map(Number));
writeFileSync(join(here, 'limit.json'), `${JSON.stringify({ energies: rows('limit.txt'), positions })}\n`);

// A warm crystal with a hole, and a slab of another stacking: fcc, hcp, surfaces; then the gas, for clusters.
run([
  'units lj',
  'lattice fcc 1.0',
  'region box block 0 4 0 4 0 4',
  'create_box 1 box',
  'create_atoms 1 box',
  'region hole sphere 2 2 2 0.9',
  'delete_atoms region hole compress no',
  'mass 1 1',
  'pair_style lj/cut 2.5',
  'pair_coeff 1 1 1 1',
  'displace_atoms all random 0.06 0.06 0.06 4711',
  'compute centro all centro/atom fcc',
  'compute cna all cna/atom 1.355',
  'neighbor 0.3 bin',
  'dump out all custom 1 crystal.dump id c_centro c_cna',
  'dump_modify out sort id format float %.17g',
  'run 0',
  'write_data crystal.data nocoeff pair ij',
]);
writeFileSync(join(here, 'crystal.data'), readFileSync(at('crystal.data')));
run([
  'units lj',
  `read_data ${here}gas.data`,
  'pair_style lj/cut 2.2',
  'pair_coeff 1 1 1 1',
  'compute cluster all cluster/atom 1.12',
  'dump out all custom 1 gas.dump id c_cluster',
  'dump_modify out sort id format float %.17g',
  'run 0',
]);
const dumped = (name: string) =>
  readFileSync(at(name), 'utf8')
    .trim()
    .split('\n')
    .slice(9)
    .map((line) => line.trim().split(' ').map(Number));
const crystal = dumped('crystal.dump');
const structure = {
  centro: crystal.map(([, centro]) => centro),
  cna: crystal.map(([, , cna]) => cna),
  cluster: dumped('gas.dump').map(([, cluster]) => cluster),
};
writeFileSync(join(here, 'structure.json'), `${JSON.stringify(structure)}\n`);
rmSync(folder, { recursive: true });
