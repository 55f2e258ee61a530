import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const unitFolder = fileURLToPath(new URL('../data/units', import.meta.url));
/** Scripts of LAMMPS in its named systems of units, each of one run. */
export const unitScripts = readdirSync(unitFolder)
  .filter((name) => name.startsWith('in.'))
  .sort();

/** A run, beside which ours is looked at. */
export interface UnitRun {
  /** Step, temperature, potential and kinetic energy, pressure. */
  readonly rows: readonly (readonly number[])[];
  /** Lengths of the box at its begin and at its end. */
  readonly boxes: readonly [readonly number[], readonly number[]];
  /** Position and force of every seventh particle at its begin, and position at its end. */
  readonly first: readonly (readonly number[])[];
  readonly last: readonly (readonly number[])[];
}

const EVERY = 7;

/** Scripts with the files that they read. */
export function copyUnitScripts(folder: string): void {
  cpSync(unitFolder, folder, { recursive: true });
  for (const file of ['MN.eam.alloy', 'SiX.sw'])
    cpSync(join(unitFolder, '../manybody', file), join(folder, file));
}

/** What LAMMPS has for a script. */
export function askForRun(lmp: string, name: string): UnitRun {
  const folder = mkdtempSync(join(tmpdir(), 'corpuscle-units-'));
  try {
    copyUnitScripts(folder);
    const ask = [
      'thermo_style custom step temp pe ke press lx ly lz',
      'thermo_modify norm no format float %.16g',
      'run 0',
      'write_dump all custom zero.dump id x y z fx fy fz modify sort id format float %.16g',
      'run 100',
      'write_dump all custom last.dump id x y z modify sort id format float %.16g',
    ];
    const text = readFileSync(join(folder, name), 'utf8').replace(/^run .*$/m, ask.join('\n'));
    writeFileSync(join(folder, name), text);
    execFileSync(lmp, ['-in', name, '-log', 'log.lmp', '-screen', 'none'], { cwd: folder });
    const log = readFileSync(join(folder, 'log.lmp'), 'utf8');
    const rows = log
      .slice(log.lastIndexOf('Step Temp'), log.lastIndexOf('Loop time'))
      .split('\n')
      .slice(1)
      .filter((line) => line.trim() !== '')
      .map((line) => line.trim().split(/\s+/).map(Number));
    const dump = (file: string) =>
      readFileSync(join(folder, file), 'utf8')
        .trim()
        .split('\n')
        .slice(9)
        .filter((_, k) => k % EVERY === 0)
        .map((line) => line.trim().split(/\s+/).slice(1).map(Number));
    return {
      rows: rows.map((row) => row.slice(0, 5)),
      boxes: [rows[0]!.slice(5), rows.at(-1)!.slice(5)],
      first: dump('zero.dump'),
      last: dump('last.dump'),
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
