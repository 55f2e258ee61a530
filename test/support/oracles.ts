import { execFileSync } from 'node:child_process';

/** Set where all programs must be there, as in continuous integration: tests that need one then fail without it. */
const mustExist = process.env.CORPUSCLE_ORACLES === '1';

/** The first of some commands that works; null where none does, and none must. */
function firstOf(commands: readonly string[], argv: readonly string[], what: string) {
  for (const command of commands) {
    try {
      execFileSync(command, [...argv], { stdio: 'ignore' });
      return command;
    } catch {
      // Not this one.
    }
  }
  if (mustExist) throw new Error(`there is no ${what}: apt-get install lammps python3-ase …`);
  return null;
}

/** A Python with a module (Debian's `python3-ase`, `python3-gsd`, `python3-mdtraj`, `python3-vtk9`); null without. */
export const pythonWith = (module: string): string | null =>
  firstOf(['/usr/bin/python3', 'python3'], ['-c', `import ${module}`], `Python with ${module}`);

/** LAMMPS (Debian's `lammps`); null without. */
export const lammps = (): string | null => firstOf(['lmp'], ['-help'], 'lmp');

/** What a Python script prints as JSON. */
export function askPython<T>(python: string, script: string, ...argv: readonly string[]): T {
  const text = execFileSync(python, ['-c', script, ...argv], { encoding: 'utf8' });
  return JSON.parse(text.slice(text.indexOf('@json') + 5)) as T;
}
