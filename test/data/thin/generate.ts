// Writes reference.json: runs of LAMMPS in boxes thinner than the cutoff.     npx tsx test/data/thin/generate.ts [lmp]
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Configuration, crystal, disturbed } from '../lammpsRunner.js';

const lmp = process.argv[2] ?? 'lmp';
const here = dirname(fileURLToPath(import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'corpuscle-thin-'));
const STEPS = 100;
const COLUMNS = '$(step) $(pe:%.17g) $(ke:%.17g) $(press:%.17g)';

const numbers = (file: string, skip = 0): number[][] =>
  readFileSync(join(folder, file), 'utf8')
    .trim()
    .split('\n')
    .slice(skip)
    .map((line) => line.trim().split(/\s+/).map(Number));
const dumped = (file: string) => numbers(file, 9).flatMap((row) => row.slice(1));

/** Velocities without a drift. */
const velocitiesOf = (count: number, size: number): number[] => {
  const v = Array.from({ length: 3 * count }, (_, k) => size * Math.sin(78.233 * (k + 2) ** 2));
  const mean = [0, 1, 2].map((axis) => v.reduce((sum, x, k) => sum + (k % 3 === axis ? x : 0), 0) / count);
  return v.map((x, k) => x - mean[k % 3]!);
};

function evaluate({ box, positions, types }: Configuration, potential: readonly string[], speed: number, dt: number) {
  const count = types.length;
  const velocities = velocitiesOf(count, speed);
  const section = (values: readonly number[], type: string) =>
    types.map((_, k) => `${k + 1} ${type}${values.slice(3 * k, 3 * k + 3).join(' ')}`);
  const data = [
    'made by a script\n',
    `${count} atoms\n1 atom types`,
    `0 ${box[0]} xlo xhi\n0 ${box[1]} ylo yhi\n0 ${box[2]} zlo zhi\n${box.slice(3).join(' ')} xy xz yz`,
    '\nAtoms # atomic\n',
    ...section(positions, '1 '),
    '\nVelocities\n',
    ...section(velocities, ''),
    '',
  ];
  writeFileSync(join(folder, 'start.data'), data.join('\n'));
  const lines = [
    'units lj',
    'atom_style atomic',
    'atom_modify sort 0 0',
    'box tilt large',
    'read_data start.data',
    'mass * 1',
    ...potential,
    'neighbor 0.3 bin',
    'neigh_modify every 1 delay 0 check yes',
    `timestep ${dt}`,
    'thermo_modify norm no',
    'fix 1 all nve',
    'run 0',
    'write_dump all custom forces.dump id fx fy fz modify sort id format float %.17g',
    `fix tell all print 10 "${COLUMNS}" file tell.txt screen no title ""`,
    'thermo 10',
    `run ${STEPS}`,
    'write_dump all custom last.dump id xu yu zu modify sort id format float %.17g',
  ];
  writeFileSync(join(folder, 'in.run'), `${lines.join('\n')}\n`);
  execFileSync(lmp, ['-in', 'in.run', '-log', 'none', '-screen', 'none'], { cwd: folder });
  const [x, y, z, xy, xz, yz] = box;
  return {
    lattice: [x, 0, 0, xy, y, 0, xz, yz, z],
    dt,
    start: positions,
    velocities,
    forces: dumped('forces.dump'),
    rows: numbers('tell.txt').filter((row) => row.length > 1),
    last: dumped('last.dump'),
  };
}

const fcc = [[0, 0, 0], [0.5, 0.5, 0], [0.5, 0, 0.5], [0, 0.5, 0.5]] as const;
const diamond = [...fcc, ...fcc.map(([x, y, z]) => [x + 0.25, y + 0.25, z + 0.25] as const)];
const lj = ['pair_style lj/cut 2.5', 'pair_coeff * * 1 1'];
const b = 1.12;
const primitive: Configuration = {
  box: [b, (b * Math.sqrt(3)) / 2, b * Math.sqrt(2 / 3), b / 2, b / 2, b / (2 * Math.sqrt(3))],
  types: [0],
  positions: [0.1, 0.2, 0.3],
};
const manybody = join(here, '../manybody');
const cases = {
  lennard_jones: evaluate(disturbed(crystal(1.6, fcc, 1, [0, 0, 0]), 0.03), lj, 1, 0.005),
  one: evaluate(primitive, lj, 0, 0.005),
  skewed: evaluate(disturbed(crystal(1.62, fcc, 1, [0.5, -0.4, 0.3]), 0.03), lj, 1, 0.004),
  stillinger_weber: evaluate(
    disturbed(crystal(5.431, diamond, 1, [0, 0, 0]), 0.08),
    ['pair_style sw', `pair_coeff * * ${manybody}/SiX.sw Si`],
    0.3,
    0.01,
  ),
  eam: evaluate(
    disturbed(crystal(3.61, fcc, 1, [0.3, 0.1, -0.2]), 0.06),
    ['pair_style eam/alloy', `pair_coeff * * ${manybody}/MN.eam.alloy M`],
    0.3,
    0.01,
  ),
};
writeFileSync(join(here, 'reference.json'), `${JSON.stringify(cases)}\n`);
rmSync(folder, { recursive: true });
