// Writes inside.json: which of 10,000 points, and of others a bit farther on, are in each of 50 random regions, as LAMMPS' `group … region` has it.
//     npx tsx test/data/regions/generate.ts [path of lmp]
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { HALF, points, regions, shifted } from '../../support/randomRegions.js';

const folder = mkdtempSync(join(tmpdir(), 'corpuscle-regions-'));

function inside(places: typeof points) {
  const atoms = places.map((at, k) => `${k + 1} 1 ${at.join(' ')}`);
  const box = ['x', 'y', 'z'].map((c) => `${-HALF} ${HALF} ${c}lo ${c}hi`);
  const head = ['points', '', `${places.length} atoms`, '1 atom types', ...box, '', 'Atoms # atomic', ''];
  writeFileSync(join(folder, 'points.data'), `${[...head, ...atoms].join('\n')}\n`);
  const commands = regions.flatMap((region, k) => [
    ...region.commands(`r${k}`),
    `group g region r${k}`,
    `write_dump g custom r${k}.dump id modify sort id`,
    'group g delete',
  ]);
  const setup = ['units lj', 'atom_style atomic', 'boundary p p p', 'read_data points.data', 'mass 1 1'];
  writeFileSync(join(folder, 'in.run'), `${[...setup, ...commands].join('\n')}\n`);
  execFileSync(process.argv[2] ?? 'lmp', ['-in', 'in.run', '-log', 'none', '-screen', 'none'], { cwd: folder });
  return regions.map((_, k) => {
    const ids = readFileSync(join(folder, `r${k}.dump`), 'utf8').trim().split('\n').slice(9).map(Number);
    const bits = new Uint8Array(places.length);
    for (const id of ids) bits[id - 1] = 1;
    return { count: ids.length, sha256: createHash('sha256').update(bits).digest('hex').slice(0, 32) };
  });
}

const text = JSON.stringify({ points: inside(points), shifted: inside(shifted) }, null, 1);
writeFileSync(fileURLToPath(new URL('inside.json', import.meta.url)), `${text}\n`);
rmSync(folder, { recursive: true });
