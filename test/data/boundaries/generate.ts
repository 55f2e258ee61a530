// Writes runs.json.gz: 100 steps of LAMMPS in boxes whose faces mirror or follow.     npx tsx test/data/boundaries/generate.ts [lmp]
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { type BoundaryCase, type BoundaryRun, boundaryCases } from '../../support/boundaryCases.js';
import { DT, particles, STEPS } from '../../support/externalCases.js';

const folder = mkdtempSync(join(tmpdir(), 'corpuscle-boundaries-'));
const COLUMNS =
  '$(step) $(pe:%.17g) $(ke:%.17g) $(press:%.17g) $(lx:%.17g) $(ly:%.17g) $(lz:%.17g) $(xlo:%.17g) $(ylo:%.17g) $(zlo:%.17g)';

function dataText({ box }: BoundaryCase): string {
  return [
    'made by a script\n',
    `${particles.length} atoms\n2 atom types\n`,
    ...box.map((ends, k) => `${ends.join(' ')} ${'xyz'[k]}lo ${'xyz'[k]}hi`),
    '\nAtoms # charge\n',
    ...particles.map(({ id, type, charge, position }) => `${id} ${type} ${charge} ${position.join(' ')}`),
    '\nVelocities\n',
    ...particles.map(({ id, velocity }) => `${id} ${velocity.join(' ')}`),
    '',
  ].join('\n');
}

function run(one: BoundaryCase): BoundaryRun {
  writeFileSync(join(folder, 'particles.data'), dataText(one));
  const lines = [
    'units lj',
    'atom_style charge',
    `boundary ${one.boundary}`,
    'atom_modify sort 0 0',
    'read_data particles.data',
    'mass 1 1.0',
    'mass 2 2.5',
    'pair_style lj/cut 2.5',
    'pair_coeff * * 1.0 1.0',
    'neighbor 0.4 bin',
    'neigh_modify every 1 delay 0 check yes',
    'fix nve all nve',
    ...one.commands,
    `timestep ${DT}`,
    'thermo_modify norm no lost error',
    'thermo 20',
    `fix tell all print 20 "${COLUMNS}" file tell.txt screen no title ""`,
    `run ${STEPS}`,
    'write_dump all custom last.dump id xu yu zu modify sort id format float %.17g',
  ];
  writeFileSync(join(folder, 'in.run'), `${lines.join('\n')}\n`);
  execFileSync(process.argv[2] ?? 'lmp', ['-in', 'in.run', '-log', 'none', '-screen', 'none'], { cwd: folder });
  const numbers = (file: string, skip: number) =>
    readFileSync(join(folder, file), 'utf8')
      .trim()
      .split('\n')
      .slice(skip)
      .map((line) => line.trim().split(/\s+/).map(Number));
  return {
    rows: numbers('tell.txt', 0).filter((row) => row.length > 1),
    positions: numbers('last.dump', 9).flatMap((row) => row.slice(1)),
  };
}

const runs = Object.fromEntries(boundaryCases.map((one) => [one.name, run(one)]));
writeFileSync(fileURLToPath(new URL('runs.json.gz', import.meta.url)), gzipSync(JSON.stringify(runs), { level: 9 }));
rmSync(folder, { recursive: true });
