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

/** A file in the format setfl. Functions of two elements are told apart by their numbers. */
function setflText(
  names: readonly string[],
  [nrho, drho]: readonly [number, number],
  [nr, dr, cut]: readonly [number, number, number],
  { embed, rho, phi }: {
    readonly embed: (element: number, rho: number) => number;
    readonly rho: (element: number, r: number) => number;
    readonly phi: (i: number, j: number, r: number) => number;
  },
): string {
  const table = (count: number, f: (k: number) => number) =>
    Array.from({ length: Math.ceil(count / 5) }, (_, line) =>
      Array.from({ length: Math.min(5, count - 5 * line) }, (_, k) => f(5 * line + k)).join(' '),
    ).join('\n');
  const least = 0.2; // tables are finite at r = 0
  return [
    'made by generate.ts\n\n',
    `${names.length} ${names.join(' ')}`,
    `${nrho} ${drho} ${nr} ${dr} ${cut}`,
    ...names.flatMap((_, i) => [
      '29 1 3.61 fcc',
      table(nrho, (k) => embed(i, k * drho)),
      table(nr, (k) => rho(i, Math.max(least, k * dr))),
    ]),
    ...names.flatMap((_, i) =>
      names.slice(0, i + 1).map((_, j) =>
        table(nr, (k) => {
          const r = Math.max(least, k * dr);
          return r * phi(i, j, r);
        }),
      ),
    ),
    '',
  ].join('\n');
}

/** An alloy of exponentials that end smoothly at 5.5. */
const end = (r: number) => (r < 5.5 ? (1 - (r / 5.5) ** 2) ** 2 : 0);
const alloyText = () =>
  setflText(['M', 'N'], [300, 0.1], [400, 5.6 / 399, 5.5], {
    embed: (i, rho) => -(1.1 + 0.2 * i) * Math.sqrt(rho),
    rho: (i, r) => (1 + 0.3 * i) * Math.exp(-(3.5 + i) * (r / 2.55 - 1)) * end(r),
    phi: (i, j, r) => (0.25 + 0.03 * (i + j)) * Math.exp(-(8 + i + j) * (r / 2.55 - 1)) * end(r),
  });

/** Sutton and Chen's copper in tables so fine that LAMMPS's splines are exact to 1e-12. */
const copperText = () =>
  setflText(['Cu'], [200000, 0.005], [200000, 3e-5, 5.9], {
    embed: (_, rho) => -39.432 * 0.012382 * Math.sqrt(rho),
    rho: (_, r) => (3.61 / r) ** 6,
    phi: (_i, _j, r) => 0.012382 * (3.61 / r) ** 9,
  });

const sw = join(here, 'SiX.sw');
writeFileSync(sw, swText());
const alloy = join(here, 'MN.eam.alloy');
writeFileSync(alloy, alloyText());
const copper = lammps.write('copper.eam.alloy', copperText());
const commands: Record<string, readonly string[]> = {
  stillinger_weber: ['pair_style sw', `pair_coeff * * ${sw} Si X`],
  eam: ['pair_style eam/alloy', `pair_coeff * * ${alloy} M N`],
  sutton_chen: ['pair_style eam/alloy', `pair_coeff * * ${copper} Cu Cu`],
};

const diamond = [
  [0, 0, 0], [0, 0.5, 0.5], [0.5, 0, 0.5], [0.5, 0.5, 0],
  [0.25, 0.25, 0.25], [0.25, 0.75, 0.75], [0.75, 0.25, 0.75], [0.75, 0.75, 0.25],
] as const;
const second = (site: number) => (site === 2 || site === 5 ? 1 : 0);
const cube = crystal(5.431, diamond, 3, [0, 0, 0], second);
const melt = (c: Configuration, potential: string, temperature: number) =>
  lammps.melted(disturbed(c, 0.1), ['timestep 0.02', ...commands[potential]!], temperature, 400);
const fcc = [
  [0, 0, 0], [0, 0.5, 0.5], [0.5, 0, 0.5], [0.5, 0.5, 0],
] as const;
const corner = (site: number) => (site === 0 ? 1 : 0);
// Compressed, so that its pressure does not cancel.
const metal = crystal(3.5, fcc, 4, [0, 0, 0], corner);
/** Chains of four: the basis of each cube, one bond after the other. */
const chained = (c: Configuration): Configuration => ({
  ...c,
  types: c.types.map(() => 0),
  bonds: c.types.flatMap((_, k) => (k % 4 < 3 ? [[k + 1, k + 2] as const] : [])),
});
const bonded = new LammpsRunner(lammps.lmp, ['atom_style bond', 'special_bonds lj 0 0.5 0.8']);
commands.bonds = [
  'pair_style lj/cut 2.5',
  'pair_coeff 1 1 1 1',
  'bond_style harmonic',
  'bond_coeff 1 80 1.05',
];
const liquidConstant = (4 / 0.8442) ** (1 / 3);
const chains = chained(crystal(liquidConstant, fcc, 4, [0, 0, 0]));
const boiled = (c: Configuration) =>
  bonded.melted(disturbed(c, 0.05), ['timestep 0.002', ...commands.bonds!], 2, 600);

const families: Readonly<
  Record<string, { names: readonly string[]; configurations: Record<string, Configuration> }>
> = {
  silicon: {
    names: ['stillinger_weber'],
    configurations: {
      crystal: cube,
      disturbed: disturbed(cube, 0.2),
      liquid: melt(cube, 'stillinger_weber', 1),
      triclinic: melt(crystal(5.431, diamond, 3, [3.1, -2.2, 4.3], second), 'stillinger_weber', 1),
    },
  },
  metal: {
    names: ['eam', 'sutton_chen'],
    configurations: {
      crystal: metal,
      disturbed: disturbed(metal, 0.15),
      liquid: melt(metal, 'sutton_chen', 1),
      triclinic: melt(crystal(3.61, fcc, 4, [2.1, -1.3, 1.7], corner), 'sutton_chen', 1),
    },
  },
  chains: {
    names: ['bonds'],
    configurations: {
      crystal: chains,
      disturbed: disturbed(chains, 0.1),
      liquid: boiled(chains),
      triclinic: boiled(chained(crystal(liquidConstant, fcc, 4, [1.3, -0.9, 1.7]))),
    },
  },
};

for (const [family, { names, configurations }] of Object.entries(families)) {
  for (const [name, configuration] of Object.entries(configurations)) {
    const results = Object.fromEntries(
      names.map((key) => {
        const runner = configuration.bonds ? bonded : lammps;
        return [key, runner.evaluate(configuration, commands[key]!)];
      }),
    );
    const [x, y, z, xy, xz, yz] = configuration.box;
    const { types, positions, bonds } = configuration;
    const lattice = [x, 0, 0, xy, y, 0, xz, yz, z];
    const text = JSON.stringify({ lattice, types, positions, bonds, results });
    writeFileSync(join(here, `${family}-${name}.json.gz`), gzipSync(text, { level: 9 }));
  }
}
lammps.close();
bonded.close();
