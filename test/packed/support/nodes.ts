import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';

/** The versions of Node that the packages are tested with. */
export const majors = [20, 22, 24] as const;

const cache = join(tmpdir(), `corpuscle-nodes-${userInfo().username}`);

/**
 * The folder of a Node's executable: the running one, or one from the npm package that holds its binary.
 * @returns null where npm has none for this machine.
 */
export function nodeFolder(major: number): string | null {
  if (process.version.startsWith(`v${major}.`)) return join(process.execPath, '..');
  const name = `node-${process.platform}-${process.arch}`;
  const home = join(cache, String(major));
  const folder = join(home, 'node_modules', name, 'bin');
  if (existsSync(join(folder, 'node'))) return folder;
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, 'package.json'), '{ "private": true }\n');
  try {
    execFileSync('npm', ['install', '--no-audit', '--no-fund', `${name}@${major}`], { cwd: home });
  } catch {
    return null;
  }
  return existsSync(join(folder, 'node')) ? folder : null;
}
