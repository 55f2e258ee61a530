// Writes the reference files of this folder with LAMMPS.     npx tsx test/data/manybody/generate.ts [path of lmp]
// Every number has 17 digits. Parameters are made up, but for those of silicon; test/support/manyBodyCases.ts reads them.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { type Configuration, crystal, disturbed, LammpsRunner } from '../lammpsRunner.js';

const here = fileURLToPath(new URL('.', import.meta.url));
const lammps = new LammpsRunner(process.argv[2] ?? 'lmp');

/** Every ordered triplet of two elements, each with numbers of its own. */
function swText(): string {
  const lines = ['# made by generate.ts: epsilon sigma a lambda gamma costheta0 A B p q tol'];
  const names = ['Si', 'X'];
  for (const [i, a] of names.entries())
    for (const [j, b] of names.entries())
      for (const [k, c] of names.entries()) {
        const pair = (i + j) / 2;
        const numbers = [
          j === k ? 2.1683 - 0.3 * pair : 1.9,
          2.0951 + 0.1 * pair,
          1.8 - 0.02 * pair,
          21 + 2 * i - k - j,
          1.2 - 0.1 * pair,
          -0.333333333333 + 0.03 * i,
          7.049556277 - 0.2 * pair,
          0.6022245584 + 0.01 * pair,
          4,
          i === j ? 0 : 0.5,
          pair === 1 ? 0.002 : 0,
        ];
        lines.push(`${a} ${b} ${c} ${numbers.slice(0, 7).join(' ')}`, `  ${numbers.slice(7).join(' ')}`);
      }
  lines.push('Ge Ge Ge 1 2 1.8 21 1.2 -0.3 7 0.6 4 0 0 # not asked for');
  return `${lines.join('\n')}\n`;
}

const sw = join(here, 'SiX.sw');
writeFileSync(sw, swText());
const commands: Readonly<Record<string, readonly string[]>> = {
  stillinger_weber: ['pair_style sw', `pair_coeff * * ${sw} Si X`],
};

const diamond = [
  [0, 0, 0], [0, 0.5, 0.5], [0.5, 0, 0.5], [0.5, 0.5, 0],
  [0.25, 0.25, 0.25], [0.25, 0.75, 0.75], [0.75, 0.25, 0.75], [0.75, 0.75, 0.25],
] as const;
const second = (site: number) => (site === 2 || site === 5 ? 1 : 0);
const cube = crystal(5.431, diamond, 3, [0, 0, 0], second);
const melt = (c: Configuration) => lammps.melted(c, ['timestep 0.02', ...commands.stillinger_weber!], 1, 400);
const families: Readonly<Record<string, { names: readonly string[]; configurations: Record<string, Configuration> }>> = {
  silicon: {
    names: ['stillinger_weber'],
    configurations: {
      crystal: cube,
      disturbed: disturbed(cube, 0.2),
      liquid: melt(disturbed(cube, 0.1)),
      triclinic: melt(disturbed(crystal(5.431, diamond, 3, [3.1, -2.2, 4.3], second), 0.1)),
    },
  },
};

for (const [family, { names, configurations }] of Object.entries(families)) {
  for (const [name, configuration] of Object.entries(configurations)) {
    const results = Object.fromEntries(
      names.map((key) => [key, lammps.evaluate(configuration, commands[key]!)]),
    );
    const [x, y, z, xy, xz, yz] = configuration.box;
    const { types, positions } = configuration;
    const lattice = [x, 0, 0, xy, y, 0, xz, yz, z];
    const text = JSON.stringify({ lattice, types, positions, results });
    writeFileSync(join(here, `${family}-${name}.json.gz`), gzipSync(text, { level: 9 }));
  }
}
lammps.close();
