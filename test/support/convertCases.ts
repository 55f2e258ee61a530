import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const convertFolder = fileURLToPath(new URL('../data/convert', import.meta.url));
/** Scripts of LAMMPS of our own. */
export const scriptNames = readdirSync(convertFolder)
  .filter((name) => name.startsWith('in.'))
  .sort();

/** Step 0: totals, in the units of the script. */
export interface StepZero {
  readonly potential: number;
  readonly kinetic: number;
  readonly pressure: number;
  readonly volume: number;
}

/** Scripts with the files that they read. */
export function copyScripts(folder: string): void {
  cpSync(convertFolder, folder, { recursive: true });
  for (const file of ['manybody/MN.eam.alloy', 'manybody/SiX.sw', 'potentials/pair.table'])
    cpSync(join(convertFolder, '..', file), join(folder, file.split('/')[1]!));
}

/** What LAMMPS computes for the script as it is, where its first run begins. */
export function askLammps(lmp: string, name: string): StepZero {
  const folder = mkdtempSync(join(tmpdir(), 'corpuscle-convert-'));
  try {
    copyScripts(folder);
    const ask = [
      'run 0',
      'print "$(pe:%.17g) $(ke:%.17g) $(press:%.17g) $(vol:%.17g)" file zero.txt',
      'quit',
    ];
    const lines = ['thermo_style custom step pe ke press vol', 'thermo_modify norm no', ...ask];
    const text = readFileSync(join(folder, name), 'utf8');
    writeFileSync(join(folder, name), text.replace(/^run .*$/m, lines.join('\n')));
    execFileSync(lmp, ['-in', name, '-log', 'none', '-screen', 'none'], { cwd: folder });
    const [potential, kinetic, pressure, volume] = readFileSync(join(folder, 'zero.txt'), 'utf8')
      .trim()
      .split(' ')
      .map(Number) as [number, number, number, number];
    return { potential, kinetic, pressure, volume };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
