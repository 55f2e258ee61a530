import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll } from 'vitest';

const root = mkdtempSync(path.join(tmpdir(), 'corpuscle-io-'));
let serial = 0;

/** Removes all fresh folders after the tests of a file. */
export function inFreshFolders(): void {
  afterAll(() => rmSync(root, { recursive: true, force: true }));
}

/** An empty folder. */
export function fresh(): string {
  const folder = path.join(root, String(serial++));
  mkdirSync(folder, { recursive: true });
  return folder;
}

export const read = (...parts: string[]): string => readFileSync(path.join(...parts), 'utf8');
