// Writes runs.json.gz: 100 steps of LAMMPS with walls and forces from outside.
//     npx tsx test/data/external/generate.ts [path of lmp]
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import {
  DT,
  EDGE,
  type ExternalCase,
  type ExternalRun,
  externalCases,
  particles,
  STEPS,
} from '../../support/externalCases.js';

const folder = mkdtempSync(join(tmpdir(), 'corpuscle-external-'));

function dataText(periodic: boolean): string {
  const wide = periodic ? [0, EDGE] : [-10, 20];
  const atoms = particles.map(({ id, type, charge, position }) => `${id} ${type} ${charge} ${position.join(' ')}`);
  const velocities = particles.map(({ id, velocity }) => `${id} ${velocity.join(' ')}`);
  return [
    'made by a script\n',
    `${particles.length} atoms\n2 atom types\n`,
    ...['x', 'y'].map((c) => `${wide[0]} ${wide[1]} ${c}lo ${c}hi`),
    '-10 20 zlo zhi',
    '\nAtoms # charge\n',
    ...atoms,
    '\nVelocities\n',
    ...velocities,
    '',
  ].join('\n');
}

function run({ periodic, commands, energy }: ExternalCase): ExternalRun {
  writeFileSync(join(folder, 'particles.data'), dataText(periodic));
  const lines = [
    'units lj',
    'atom_style charge',
    `boundary ${periodic ? 'p p f' : 'f f f'}`,
    'atom_modify sort 0 0',
    'read_data particles.data',
    'mass 1 1.0',
    'mass 2 2.5',
    'pair_style lj/cut 2.5',
    'pair_coeff * * 1.0 1.0',
    'neighbor 0.3 bin',
    'neigh_modify every 1 delay 0 check yes',
    'fix nve all nve',
    ...commands,
    `timestep ${DT}`,
    ...(energy ? [`variable e atom ${energy}`, 'compute e all reduce sum v_e', 'variable all equal pe+c_e'] : []),
    `thermo_style custom step ${energy ? 'v_all' : 'pe'} ke pe`,
    'thermo_modify norm no format float %.17g lost error',
    'thermo 20',
    `run ${STEPS}`,
    'write_dump all custom last.dump id x y z modify sort id format float %.17g',
  ];
  writeFileSync(join(folder, 'in.run'), `${lines.join('\n')}\n`);
  execFileSync(process.argv[2] ?? 'lmp', ['-in', 'in.run', '-log', 'run.log', '-screen', 'none'], { cwd: folder });
  const log = readFileSync(join(folder, 'run.log'), 'utf8').split('\n');
  const first = log.findIndex((line) => line.includes('Step')) + 1;
  const rows = log.slice(first, first + STEPS / 20 + 1).map((line) => line.trim().split(/\s+/).map(Number));
  const dump = readFileSync(join(folder, 'last.dump'), 'utf8').trim().split('\n').slice(9);
  return {
    rows: rows as unknown as ExternalRun['rows'],
    positions: dump.flatMap((line) => line.split(' ').slice(1).map(Number)),
  };
}

const runs = Object.fromEntries(externalCases.map((one) => [one.name, run(one)]));
writeFileSync(fileURLToPath(new URL('runs.json.gz', import.meta.url)), gzipSync(JSON.stringify(runs), { level: 9 }));
rmSync(folder, { recursive: true });
