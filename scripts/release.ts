// Writes a version into everything that tells one, and heads the changelog:      npx tsx scripts/release.ts 0.2.0
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { published, root } from './support/packPackages.js';

// A test gives a copy of the repository.
const [version = '', repository = root] = process.argv.slice(2);
if (!/^\d+\.\d+\.\d+$/.test(version)) throw new Error('give a version, as in 0.2.0');

function replace(file: string, what: RegExp, by: string): void {
  const path = join(repository, file);
  const text = readFileSync(path, 'utf8');
  if (!what.test(text)) throw new Error(`${file} has no ${what}`);
  writeFileSync(path, text.replace(what, by));
}

for (const folder of published)
  replace(`packages/${folder}/package.json`, /"version": "[^"]+"/, `"version": "${version}"`);
replace('packages/cli/src/program/version.ts', /'[^']+';/, `'${version}';`);
replace(
  'packages/core/src/checkpoint/RunCheckpoint.ts',
  /CORPUSCLE = '[^']+'/,
  `CORPUSCLE = '${version}'`,
);
replace('CITATION.cff', /^version: .+$/m, `version: ${version}`);
const day = new Date().toISOString().slice(0, 10);
replace('CHANGELOG.md', /^## \[Unreleased\]$/m, `## [Unreleased]\n\n## [${version}] - ${day}`);
console.log(`version ${version}: look at the changes, commit them, and tag v${version}`);
