import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Where the repository is. */
export const root = fileURLToPath(new URL('../..', import.meta.url));

/** The name of the package in a folder below `packages`. */
export const packageName = (folder: string): string => manifestOf(folder).name;

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly private?: boolean;
}

function manifestOf(folder: string): Manifest {
  return JSON.parse(readFileSync(join(root, 'packages', folder, 'package.json'), 'utf8'));
}

/** Folders below `packages` of those that are published. */
export const published: readonly string[] = readdirSync(join(root, 'packages'))
  .filter((folder) => !manifestOf(folder).private)
  .sort();

/** A package as it would be published. */
export interface PackedPackage {
  /** As in `@corpuscle/core`. */
  readonly name: string;
  readonly version: string;
  /** Its folder below `packages`. */
  readonly folder: string;
  readonly tarball: string;
}

/**
 * Packs every package of the repository, built before, into a folder.
 * @throws when a package cannot be packed.
 */
export async function packPackages(destination: string): Promise<PackedPackage[]> {
  const packed: PackedPackage[] = [];
  for (const folder of published) {
    const cwd = join(root, 'packages', folder);
    const { name, version } = manifestOf(folder);
    await run('npx', ['-y', 'pnpm@10.34.8', 'pack', '--pack-destination', destination], { cwd });
    const file = `${name.replace('@', '').replace('/', '-')}-${version}.tgz`;
    packed.push({ name, version, folder, tarball: join(destination, file) });
  }
  return packed;
}
