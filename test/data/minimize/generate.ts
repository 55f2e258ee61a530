// Writes lammps.json: crystals of two types that LAMMPS relaxes with their boxes. Usage: npx tsx test/data/minimize/generate.ts [lmp]
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { disturbedCrystal } from './start.js';

const lmp = process.argv[2] ?? 'lmp';
const here = dirname(fileURLToPath(import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'corpuscle-minimize-'));

const { lattice, positions, types } = disturbedCrystal();
writeFileSync(
  join(folder, 'start.data'),
  [
    'made by a script\n',
    `${types.length} atoms\n2 atom types`,
    ...['x', 'y', 'z'].map((axis, k) => `0 ${lattice[4 * k]} ${axis}lo ${axis}hi`),
    '0 0 0 xy xz yz',
    '\nAtoms # atomic\n',
    ...types.map((type, k) => `${k + 1} ${type + 1} ${positions.slice(3 * k, 3 * k + 3).join(' ')}`),
    '',
  ].join('\n'),
);

/** The pressure of a box changes its reference now and then: minimizations follow each other until they change nothing. */
function relaxed(coupling: 'aniso' | 'tri', pressure: number) {
  const commands = [
    'units lj',
    'atom_style atomic',
    'box tilt large',
    'read_data start.data',
    'mass * 1',
    'pair_style lj/smooth/linear 2.2',
    'pair_coeff 1 1 1.0 1.0',
    'pair_coeff 1 2 1.1 0.95',
    'pair_coeff 2 2 0.9 0.9',
    'neigh_modify every 1 delay 0 check yes',
    'min_style cg',
    'min_modify line quadratic dmax 0.02',
    `fix 1 all box/relax ${coupling} ${pressure} vmax 0.001`,
    ...Array.from({ length: 60 }, () => 'minimize 0 1e-13 2000 20000'),
    'thermo_style custom step pe pxx pyy pzz pxy pxz pyz',
    'run 0 post no',
    'print "$(pe:%.17g) $(lx:%.17g) $(ly:%.17g) $(lz:%.17g) $(xy:%.17g) $(xz:%.17g) $(yz:%.17g) $(pxx:%.17g) $(pyy:%.17g) $(pzz:%.17g) $(pxy:%.17g) $(pxz:%.17g) $(pyz:%.17g)" file last.txt screen no',
  ];
  writeFileSync(join(folder, 'in.run'), `${commands.join('\n')}\n`);
  execFileSync(lmp, ['-in', 'in.run', '-log', 'none', '-screen', 'none'], { cwd: folder });
  const [energy, ...rest] = readFileSync(join(folder, 'last.txt'), 'utf8').trim().split(' ').map(Number);
  return { coupling, pressure, energyPerParticle: energy, box: rest.slice(0, 6), stress: rest.slice(6) };
}

const cases = {
  aniso: relaxed('aniso', 0),
  aniso_pressed: relaxed('aniso', 3),
  triclinic: relaxed('tri', 0),
};
writeFileSync(join(here, 'lammps.json'), `${JSON.stringify(cases)}\n`);
rmSync(folder, { recursive: true });
