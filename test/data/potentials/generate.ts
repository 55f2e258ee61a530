// Writes the reference files of this folder with LAMMPS.     npx tsx test/data/potentials/generate.ts [path of lmp]
// Every number has 17 digits. Coefficients are those of test/support/potentialCases.ts.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const lmp = process.argv[2] ?? 'lmp';
const here = fileURLToPath(new URL('.', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'corpuscle-potentials-'));

/** xhi yhi zhi xy xz yz: cell vectors are (xhi 0 0), (xy yhi 0), (xz yz zhi). */
type Box = readonly [number, number, number, number, number, number];
interface Configuration {
  readonly box: Box;
  readonly types: readonly number[];
  readonly positions: readonly number[];
}

const potentials: Readonly<Record<string, readonly string[]>> = {
  lennard_jones: [
    'pair_style lj/cut 2.5',
    'pair_coeff 1 1 1 1 2.5',
    'pair_coeff 1 2 1.5 0.9 2.2',
    'pair_coeff 2 2 0.5 0.95 2.4',
  ],
  morse: [
    'pair_style morse 2.5',
    'pair_coeff 1 1 1 5 1.12 2.5',
    'pair_coeff 1 2 1.5 4.5 1.05 2.2',
    'pair_coeff 2 2 0.5 6 1.1 2.4',
  ],
  buckingham: [
    'pair_style buck 2.5',
    'pair_coeff 1 1 6000 0.115 1.3 2.5',
    'pair_coeff 1 2 5000 0.12 1 2.2',
    'pair_coeff 2 2 4000 0.125 0 2.4',
  ],
  tabulated_linear: tableCommands('linear 800'),
  tabulated_spline: tableCommands('spline 500'),
  yukawa: [
    'pair_style yukawa 2 2.5',
    'pair_coeff 1 1 20 2.5',
    'pair_coeff 1 2 15 2.2',
    'pair_coeff 2 2 30 2.4',
  ],
};

function tableCommands(style: string): string[] {
  return [
    `pair_style table ${style}`,
    `pair_coeff 1 1 ${here}pair.table AA 2.5`,
    `pair_coeff 1 2 ${here}pair.table AB 2.2`,
    `pair_coeff 2 2 ${here}pair.table BB 2.4`,
  ];
}

/** Three ways to space a table, with and without slopes at the ends; the linear tables take that in r² as it stands. */
function tableText(): string {
  const section = (name: string, count: number, how: string, r: (s: number) => number) => {
    const depth = { AA: 1, AB: 1.5, BB: 0.5 }[name]!;
    const u = (x: number) => 4 * depth * (x ** -10 - x ** -5);
    const f = (x: number) => 4 * depth * (10 * x ** -11 - 5 * x ** -6);
    const rows = Array.from({ length: count }, (_, k) => {
      const x = r(k / (count - 1));
      return `${k + 1} ${x} ${u(x)} ${f(x)}`;
    });
    return `${name}\nN ${count} ${how}\n\n${rows.join('\n')}\n`;
  };
  const root = (s: number) => Math.sqrt(0.5 ** 2 + (2.5 ** 2 - 0.5 ** 2) * s);
  return [
    '# 4 e (r^-10 - r^-5), made by generate.ts\n',
    section('AA', 800, 'RSQ 0.5 2.5', root),
    section('AB', 400, 'R 0.5 2.6 FPRIME -480000 -0.05', (s) => 0.5 + 2.1 * s),
    section('BB', 300, '', (s) => 0.5 + 2 * s ** 1.5),
  ].join('\n');
}
writeFileSync(join(here, 'pair.table'), tableText());

const run = (name: string, lines: readonly string[]) => {
  const file = join(folder, `${name}.in`);
  writeFileSync(file, `${lines.join('\n')}\n`);
  execFileSync(lmp, ['-in', file, '-log', 'none', '-screen', 'none'], { cwd: folder });
};

const head = (name: string) => [
  'units lj',
  'atom_style atomic',
  'atom_modify sort 0 0',
  'box tilt large',
  `read_data ${name}.data`,
  'mass * 1',
  'neighbor 0.3 bin',
  'neigh_modify every 1 delay 0 check yes',
];

function writeData(name: string, { box, types, positions }: Configuration): void {
  const [x, y, z, xy, xz, yz] = box;
  const tilt = box.slice(3).some((t) => t !== 0) ? `${xy} ${xz} ${yz} xy xz yz\n` : '';
  const atoms = types.map(
    (type, k) => `${k + 1} ${type + 1} ${positions.slice(3 * k, 3 * k + 3).join(' ')}`,
  );
  writeFileSync(
    join(folder, `${name}.data`),
    `${name}\n\n${types.length} atoms\n2 atom types\n0 ${x} xlo xhi\n0 ${y} ylo yhi\n0 ${z} zlo zhi\n${tilt}\nAtoms # atomic\n\n${atoms.join('\n')}\n`,
  );
}

/** The numbers of a dump of one frame, sorted by id. */
const readDump = (name: string): number[] =>
  readFileSync(join(folder, name), 'utf8')
    .trim()
    .split('\n')
    .slice(9)
    .flatMap((line) => line.split(' ').slice(1).map(Number));

/** Melts a configuration: what is left after 400 steps at a high temperature. */
function melted(name: string, start: Configuration): Configuration {
  writeData(name, start);
  run(name, [
    ...head(name),
    ...potentials.lennard_jones!,
    'velocity all create 3 4711',
    'fix 1 all nve',
    'run 400',
    `write_dump all custom ${name}.dump id xu yu zu modify sort id format float %.17g`,
  ]);
  return { ...start, positions: readDump(`${name}.dump`) };
}

function evaluate(name: string, commands: readonly string[]) {
  run(name, [
    ...head(name),
    ...commands,
    'compute p all pressure NULL virial',
    'thermo_style custom step pe c_p[1]',
    'thermo_modify norm no',
    'run 0',
    'print "$(pe:%.17g) $(c_p[1]:%.17g) $(c_p[2]:%.17g) $(c_p[3]:%.17g) $(c_p[4]:%.17g) $(c_p[5]:%.17g) $(c_p[6]:%.17g)" file thermo.txt screen no',
    'write_dump all custom forces.dump id fx fy fz modify sort id format float %.17g',
  ]);
  const [energy, ...pressure] = readFileSync(join(folder, 'thermo.txt'), 'utf8')
    .trim()
    .split(' ')
    .map(Number);
  return { energy, pressure, forces: readDump('forces.dump') };
}

/** Face-centered cubic, one corner in four of type B, in a box that may be tilted. */
function crystal(repeat: number, tilt: readonly [number, number, number]): Configuration {
  const a = (4 / 0.8442) ** (1 / 3);
  const [xy, xz, yz] = tilt;
  const positions: number[] = [];
  const types: number[] = [];
  const basis = [[0, 0, 0], [0, 0.5, 0.5], [0.5, 0, 0.5], [0.5, 0.5, 0]] as const;
  for (let x = 0; x < repeat; x++)
    for (let y = 0; y < repeat; y++)
      for (let z = 0; z < repeat; z++)
        basis.forEach(([p, q, r], k) => {
          const [s, t, u] = [(x + p) / repeat, (y + q) / repeat, (z + r) / repeat];
          const length = a * repeat;
          positions.push(length * s + xy * t + xz * u, length * t + yz * u, length * u);
          types.push(k === 0 ? 1 : 0);
        });
  const length = a * repeat;
  return { box: [length, length, length, xy, xz, yz], types, positions };
}

const disturb = (c: Configuration, by: number): Configuration => ({
  ...c,
  positions: c.positions.map((x, k) => x + by * Math.sin(12.9898 * (k + 1) ** 2)),
});

const cube = crystal(4, [0, 0, 0]);
const configurations: Readonly<Record<string, Configuration>> = {
  crystal: cube,
  disturbed: disturb(cube, 0.1),
  liquid: melted('liquid', cube),
  triclinic: melted('triclinic', crystal(4, [1.3, -0.9, 1.7])),
};

for (const [name, configuration] of Object.entries(configurations)) {
  writeData(name, configuration);
  const results = Object.fromEntries(
    Object.entries(potentials).map(([key, commands]) => [key, evaluate(name, commands)]),
  );
  const [x, y, z, xy, xz, yz] = configuration.box;
  const { types, positions } = configuration;
  const lattice = [x, 0, 0, xy, y, 0, xz, yz, z];
  const text = JSON.stringify({ lattice, types, positions, results });
  writeFileSync(join(here, `${name}.json.gz`), gzipSync(text, { level: 9 }));
}
rmSync(folder, { recursive: true });
