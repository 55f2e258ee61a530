import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { type PackedPackage, packPackages } from '../../scripts/support/packPackages.js';
import { type Consumer, installPacked, withOptional } from './support/consumer.js';
import { majors, nodeFolder } from './support/nodes.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** A project without optional dependencies. */
    readonly plain: Consumer;
    /** The folder of the same project with them. */
    readonly full: string;
    /** The packages as they would be published. */
    readonly packed: readonly PackedPackage[];
    /** TypeScript 5.9's compiler. */
    readonly tsc: string;
    /** The folder of each Node's executable, by its major version; null where it cannot be had. */
    readonly nodes: Readonly<Record<number, string | null>>;
  }
}

/** Packs the packages as they are built, installs them as a user would, and fetches the versions of Node. */
export default async function setup(project: TestProject): Promise<() => void> {
  const home = mkdtempSync(join(tmpdir(), 'corpuscle-packed-'));
  const packed = await packPackages(home);
  const plain = await installPacked(packed, join(home, 'plain'));
  const full = join(home, 'full');
  withOptional(plain, full);
  const tools = join(home, 'tools');
  mkdirSync(tools);
  writeFileSync(join(tools, 'package.json'), '{ "private": true }\n');
  execFileSync(
    'npm',
    ['install', '--prefer-offline', '--no-audit', '--no-fund', 'typescript@5.9'],
    {
      cwd: tools,
    },
  );
  project.provide('packed', packed);
  project.provide('plain', plain);
  project.provide('full', full);
  project.provide('tsc', join(tools, 'node_modules/typescript/bin/tsc'));
  project.provide('nodes', Object.fromEntries(majors.map((major) => [major, nodeFolder(major)])));
  return () => rmSync(home, { recursive: true });
}
