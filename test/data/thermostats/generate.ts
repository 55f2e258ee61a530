// Writes lammps.json: runs of 100 steps with the thermostats of LAMMPS. From the root of the repository:
//                                                      npx tsx test/data/thermostats/generate.ts [lmp]
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EDGE, MASSES, start } from './start.js';

const lmp = process.argv[2] ?? 'lmp';
const folder = mkdtempSync(join(tmpdir(), 'corpuscle-thermostats-'));

const cases: Readonly<Record<string, readonly string[]>> = {
  nve: ['fix 1 all nve'],
  nose_hoover: ['fix 1 all nvt temp 1.2 1.2 0.5'],
  nose_hoover_chain: ['fix 1 all nvt temp 1.2 1.2 0.3 tchain 5 tloop 2'],
  nose_hoover_single: ['fix 1 all nvt temp 1.2 1.2 0.3 tchain 1'],
  nose_hoover_group: [
    'group light type 1',
    'group heavy type 2',
    'fix 1 light nvt temp 1.2 1.2 0.5',
    'compute_modify 1_temp extra/dof 0',
    'fix 2 heavy nve',
  ],
  berendsen: ['fix 1 all nve', 'fix 2 all temp/berendsen 1.2 1.2 0.5'],
  berendsen_ramp: ['fix 1 all nve', 'fix 2 all temp/berendsen 1.2 1.9 0.2'],
  rescale: ['fix 1 all nve', 'fix 2 all temp/rescale 7 1.2 1.2 0.02 0.7'],
};

function data(): string {
  const { positions, velocities, types } = start();
  const lines = types.map((type, k) => {
    return `${k + 1} ${type + 1} ${positions.slice(3 * k, 3 * k + 3).join(' ')}`;
  });
  const moving = types.map((_, k) => `${k + 1} ${velocities.slice(3 * k, 3 * k + 3).join(' ')}`);
  return `start\n\n${types.length} atoms\n2 atom types\n\n0 ${EDGE} xlo xhi\n0 ${EDGE} ylo yhi\n0 ${EDGE} zlo zhi\n
Masses\n\n1 ${MASSES[0]}\n2 ${MASSES[1]}\n\nAtoms\n\n${lines.join('\n')}\n\nVelocities\n\n${moving.join('\n')}\n`;
}

function run(fixes: readonly string[]) {
  const text = [
    'units lj',
    'atom_style atomic',
    'read_data data.lmp',
    'pair_style lj/cut 2.5',
    'pair_modify shift yes',
    'pair_coeff * * 1.0 1.0',
    'neighbor 0.3 bin',
    'neigh_modify every 1 delay 0 check yes',
    'timestep 0.004',
    ...fixes,
    'thermo_style custom step ke pe',
    'thermo_modify norm no format float %.16g',
    'thermo 10',
    'run 100',
    'write_dump all custom out.dump id xu yu zu modify sort id format float %.16g',
  ].join('\n');
  writeFileSync(join(folder, 'in.lmp'), text);
  execFileSync(lmp, ['-in', 'in.lmp', '-log', 'log.lmp', '-screen', 'none'], { cwd: folder });
  const log = readFileSync(join(folder, 'log.lmp'), 'utf8');
  const table = log.slice(log.indexOf('Step KinEng'), log.indexOf('Loop time'));
  const rows = table
    .split('\n')
    .slice(1)
    .filter((line) => line.trim() !== '')
    .map((line) => line.trim().split(/\s+/).map(Number));
  const dump = readFileSync(join(folder, 'out.dump'), 'utf8').trim().split('\n').slice(9);
  const positions = dump.flatMap((line) => line.split(/\s+/).slice(1, 4).map(Number));
  return {
    kinetic: rows.map((row) => row[1]),
    potential: rows.map((row) => row[2]),
    // A tenth of the particles tells all.
    positions: positions.filter((_, k) => Math.floor(k / 3) % 10 === 0),
  };
}

writeFileSync(join(folder, 'data.lmp'), data());
const runs = Object.fromEntries(Object.entries(cases).map(([name, fixes]) => [name, run(fixes)]));
const version = execFileSync(lmp, ['-h']).toString().split('\n').find((line) => line.includes('LAMMPS') || line.includes('Parallel'));
writeFileSync(
  new URL('lammps.json', import.meta.url),
  `${JSON.stringify({ source: version?.trim(), runs }, null, 1)}\n`,
);
rmSync(folder, { recursive: true });
