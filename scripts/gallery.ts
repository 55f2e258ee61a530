/**
 * Makes all pictures of docs/gallery.md from the examples, some minutes without a GPU. Build first.
 *
 *   pnpm run gallery           all
 *   pnpm run gallery film      one
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileOf, galleryPage, type Picture, pictures } from './support/gallery.js';
import { root } from './support/packPackages.js';

const command = join(root, 'packages/cli/bin/corpuscle.js');
const work = mkdtempSync(join(tmpdir(), 'corpuscle-gallery-'));
const corpuscle = (...argv: string[]) =>
  execFileSync(process.execPath, [command, ...argv], { cwd: work, stdio: 'inherit' });
const words = (options: string): string[] => options.split(' ').filter(Boolean);

/** The first example writes no particles: this is added to it. */
const last = join(work, 'last.yaml');
writeFileSync(
  last,
  'dump_data:\n  - write_extended_xyz: { file: last.xyz, frequency: 500, fields: [pos, velo, id] }\n',
);

function make(picture: Picture): void {
  const { name, example, render, plot } = picture;
  const [file, options] = (render ?? plot)!;
  const inputs = [join(root, `examples/${example}.yaml`), ...(file === 'last.xyz' ? [last] : [])];
  const out = join(root, 'docs/pictures', fileOf(picture));
  corpuscle('run', ...inputs, '--backend', 'cpu', '--quiet', '--output', name);
  const given = join(name, file);
  if (plot) corpuscle('plot', given, '--output', out, '--overwrite', ...words(options));
  else {
    const look = ['--frame', '-1', '--size', '264x198', '--overwrite', ...words(options)];
    corpuscle('render', given, '--out', out, ...look);
  }
}

writeFileSync(join(root, 'docs/gallery.md'), galleryPage());
try {
  const asked = process.argv.slice(2);
  for (const picture of pictures)
    if (asked.length === 0 || asked.includes(picture.name)) make(picture);
} finally {
  rmSync(work, { recursive: true });
}
