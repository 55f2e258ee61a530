import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { published, root } from '../scripts/support/packPackages.js';

const copy = mkdtempSync(join(tmpdir(), 'corpuscle-release-'));
afterAll(() => rmSync(copy, { recursive: true }));

const manifests = published.map((folder) => `packages/${folder}/package.json`);
const sources = [
  'packages/cli/src/program/version.ts',
  'packages/core/src/checkpoint/RunCheckpoint.ts',
];

/** What a file of a repository says its version is. */
function versionIn(repository: string, file: string): string | undefined {
  const text = readFileSync(join(repository, file), 'utf8');
  return /(?:"version": "|^version: |version = '|CORPUSCLE = ')(\d+\.\d+\.\d+)/m.exec(text)?.[1];
}

it('everything tells one version, and the script of releases writes the next one into all of it', () => {
  const files = [...manifests, ...sources, 'CITATION.cff'];
  const [now] = new Set(files.map((file) => versionIn(root, file)));
  for (const file of files) expect(versionIn(root, file), file).toBe(now);

  for (const file of [...files, 'CHANGELOG.md'])
    cpSync(join(root, file), join(copy, file), { recursive: true });
  const release = (version: string) =>
    execFileSync(process.execPath, ['--import', 'tsx', 'scripts/release.ts', version, copy], {
      cwd: root,
      encoding: 'utf8',
      stdio: 'pipe',
    });
  expect(release('98.7.6')).toMatch(/tag v98\.7\.6$/m);
  for (const file of files) expect(versionIn(copy, file), file).toBe('98.7.6');
  const before = readFileSync(join(root, 'CHANGELOG.md'), 'utf8').split('## [Unreleased]\n');
  const after = readFileSync(join(copy, 'CHANGELOG.md'), 'utf8');
  const day = /^## \[98\.7\.6\] - \d{4}-\d\d-\d\d$/m.exec(after)![0];
  expect(after).toBe(before.join(`## [Unreleased]\n\n${day}\n`));
  expect(() => release('next')).toThrow('give a version');
});

it('packages depend on each other as they are here', () => {
  for (const file of manifests) {
    const { dependencies = {} } = JSON.parse(readFileSync(join(root, file), 'utf8'));
    for (const [name, wanted] of Object.entries(dependencies))
      if (name.startsWith('@corpuscle/'))
        expect(wanted, `${name} of ${dirname(file)}`).toMatch(/^workspace:/);
  }
});
