/**
 * Makes the pictures of docs/gallery.md from the examples, some minutes without a GPU. Build first.
 *
 *   pnpm run pictures
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const command = join(root, 'packages/cli/bin/corpuscle.js');
const work = mkdtempSync(join(tmpdir(), 'corpuscle-pictures-'));
const corpuscle = (...argv: string[]) =>
  execFileSync(process.execPath, [command, ...argv], { cwd: work, stdio: 'inherit' });

const last = join(work, 'last.yaml');
writeFileSync(
  last,
  'dump_data:\n  - write_extended_xyz: { file: melt.xyz, frequency: 500, fields: [pos, velo, id] }\n',
);

/** Name, files of the run, what it writes, and how that is drawn. */
const pictures: readonly (readonly [string, readonly string[], string, string])[] = [
  ['melt', ['01-lj-melt', last], 'melt.xyz', '--color speed --map plasma'],
  ['droplet', ['14-droplet'], 'droplet.xyz', '--color ep --range -6.5,-0.5 --zoom 1.25'],
  [
    'polycrystal',
    ['15-polycrystal'],
    'grains.xyz',
    '--color structure --map coolwarm --direction -0.4,0.7,-0.6 --zoom 1.1',
  ],
  [
    'silicon',
    ['16-silicon'],
    'silicon.xyz',
    '--color ep --range -4.4,-3 --radius 1.1 --direction -0.35,0.9,-0.3',
  ],
];

try {
  for (const [name, files, written, look] of pictures) {
    const inputs = files.map((file) =>
      file.endsWith('.yaml') ? file : join(root, `examples/${file}.yaml`),
    );
    corpuscle('run', ...inputs, '--backend', 'cpu', '--quiet', '--output', name);
    const out = join(root, `docs/pictures/${name}.png`);
    const drawn = ['--frame', '-1', '--size', '440x330', '--overwrite', ...look.split(' ')];
    corpuscle('render', join(name, written), '--out', out, ...drawn);
  }
} finally {
  rmSync(work, { recursive: true });
}
