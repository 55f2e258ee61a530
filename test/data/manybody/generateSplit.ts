// Writes Split.sw and split.json.gz with LAMMPS.     npx tsx test/data/manybody/generateSplit.ts [path of lmp]
// Two elements in the form of published files: what no pair uses is 0, and lambda epsilon is split differently for i j k and i k j.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import { LammpsRunner } from '../lammpsRunner.js';

const here = fileURLToPath(new URL('.', import.meta.url));
const lammps = new LammpsRunner(process.argv[2] ?? 'lmp');

const pairs = {
  AA: '2.1 2.09 1.8 21 1.2 -0.333 7.05 0.60 4 0 0',
  AB: '1.7 2.20 1.75 25 1.1 -0.333 7.3 0.65 4 0 0',
  BB: '1.4 2.30 1.7 19 1.2 -0.333 6.9 0.70 4 0 0',
};
const lines = [
  `A A A ${pairs.AA}`,
  `A B B ${pairs.AB}`,
  `B A A ${pairs.AB}`,
  `B B B ${pairs.BB}`,
  // lambda epsilon is 40 for both, and 36
  'A A B 1.6 0 0 25 0 -0.333 0 0 0 0 0',
  'A B A 3.2 0 0 12.5 0 -0.333 0 0 0 0 0',
  'B A B 1.5 0 0 24 0 -0.333 0 0 0 0 0',
  'B B A 0.75 0 0 48 0 -0.333 0 0 0 0 0',
];
const text = `# made by generateSplit.ts\n${lines.join('\n')}\n`;
writeFileSync(join(here, 'Split.sw'), text);

const stored = gunzipSync(readFileSync(join(here, 'silicon-triclinic.json.gz'))).toString();
const { lattice, types, positions } = JSON.parse(stored);
const [x, , , xy, y, , xz, yz, z] = lattice;
// Every third particle is of the second type.
const mixed = (types as number[]).map((_, k) => (k % 3 === 0 ? 1 : 0));
const commands = ['pair_style sw', `pair_coeff * * ${join(here, 'Split.sw')} A B`];
const result = lammps.evaluate({ box: [x, y, z, xy, xz, yz], types: mixed, positions }, commands);
const json = JSON.stringify({ types: mixed, ...result });
writeFileSync(join(here, 'split.json.gz'), gzipSync(json, { level: 9 }));
lammps.close();
