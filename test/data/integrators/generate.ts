// Writes lammps.json: runs of 100 steps with integrators of LAMMPS. From the root of the repository:
//                                                      npx tsx test/data/integrators/generate.ts [lmp]
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  bonds,
  type IntegratorCase,
  type IntegratorRun,
  integratorCases,
} from '../../support/integratorCases.js';
import { EDGE, MASSES, start } from '../thermostats/start.js';

const lmp = process.argv[2] ?? 'lmp';
const folder = mkdtempSync(join(tmpdir(), 'corpuscle-integrators-'));

function data(): string {
  const { positions, velocities, types } = start();
  const vector = (values: readonly number[], k: number) => values.slice(3 * k, 3 * k + 3).join(' ');
  return [
    'made by a script\n',
    `${types.length} atoms\n2 atom types\n${bonds.length} bonds\n1 bond types\n`,
    ...['x', 'y', 'z'].map((axis) => `0 ${EDGE} ${axis}lo ${axis}hi`),
    `\nMasses\n\n1 ${MASSES[0]}\n2 ${MASSES[1]}\n\nAtoms # bond\n`,
    ...types.map((type, k) => `${k + 1} 1 ${type + 1} ${vector(positions, k)}`),
    '\nVelocities\n',
    ...types.map((_, k) => `${k + 1} ${vector(velocities, k)}`),
    '\nBonds\n',
    ...bonds.map(([a, b], k) => `${k + 1} 1 ${a + 1} ${b + 1}`),
    '',
  ].join('\n');
}

function run({ commands }: IntegratorCase): IntegratorRun {
  const text = [
    'units lj',
    'atom_style bond',
    'atom_modify map yes',
    ...(commands.some((line) => line.startsWith('bond_style')) ? [] : ['bond_style zero', 'special_bonds lj 1 1 1']),
    'read_data data.lmp',
    ...(commands.some((line) => line.startsWith('bond_style')) ? [] : ['bond_coeff *']),
    'pair_style lj/cut 2.5',
    'pair_modify shift yes',
    'pair_coeff * * 1.0 1.0',
    'neighbor 0.3 bin',
    'neigh_modify every 1 delay 0 check yes',
    'timestep 0.004',
    'group light type 1',
    'group heavy type 2',
    ...commands,
    'thermo_style custom step time ke pe',
    'thermo_modify norm no format float %.16g',
    'thermo 10',
    'run 100',
    'write_dump all custom out.dump id xu yu zu modify sort id format float %.16g',
  ].join('\n');
  writeFileSync(join(folder, 'in.lmp'), text);
  execFileSync(lmp, ['-in', 'in.lmp', '-log', 'log.lmp', '-screen', 'none'], { cwd: folder });
  const log = readFileSync(join(folder, 'log.lmp'), 'utf8');
  const rows = log
    .slice(log.indexOf('Step Time KinEng'), log.indexOf('Loop time'))
    .split('\n')
    .slice(1)
    .filter((line) => line.trim() !== '')
    .map((line) => line.trim().split(/\s+/).map(Number));
  const dump = readFileSync(join(folder, 'out.dump'), 'utf8').trim().split('\n').slice(9);
  const positions = dump.flatMap((line) => line.split(/\s+/).slice(1, 4).map(Number));
  return { rows, positions: positions.filter((_, k) => Math.floor(k / 3) % 10 === 0) };
}

writeFileSync(join(folder, 'data.lmp'), data());
const runs = Object.entries(integratorCases).map(([name, one]) => [name, run(one)] as const);
const source = execFileSync(lmp, ['-h']).toString().split('\n').find((line) => line.includes('LAMMPS') || line.includes('Parallel'));
writeFileSync(
  new URL('lammps.json', import.meta.url),
  `${JSON.stringify({ source: source?.trim(), runs: Object.fromEntries(runs) })}\n`,
);
rmSync(folder, { recursive: true });
