// Writes reference.json: runs of LAMMPS in boxes that change, from one melted start. Usage: npx tsx test/data/boxes/generate.ts [lmp]
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const lmp = process.argv[2] ?? 'lmp';
const here = dirname(fileURLToPath(import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'corpuscle-boxes-'));
const STEPS = 100;
/** Positions and velocities of these ids are kept: energies and box tell of all others. */
const KEPT = 32;

const run = (lines: readonly string[]): void => {
  writeFileSync(join(folder, 'in.run'), `${lines.join('\n')}\n`);
  execFileSync(lmp, ['-in', 'in.run', '-log', 'none', '-screen', 'none'], { cwd: folder });
};
/** The numbers of a dump of one frame, a row for each id. */
const rows = (file: string): number[][] =>
  readFileSync(join(folder, file), 'utf8')
    .trim()
    .split('\n')
    .slice(9)
    .map((line) => line.split(' ').slice(1).map(Number));
const numbers = (file: string): number[][] =>
  readFileSync(join(folder, file), 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number));

const COMMON = [
  'pair_style lj/cut 2.5',
  'pair_coeff * * 1 1',
  'neighbor 0.3 bin',
  'neigh_modify every 1 delay 0 check yes',
  'timestep 0.005',
];
const head = (tilt: readonly number[] | null): string[] => [
  'units lj',
  'atom_style atomic',
  'atom_modify sort 0 0',
  'lattice fcc 0.8442',
  ...(tilt
    ? [`region box prism 0 4 0 4 0 4 ${tilt.join(' ')}`]
    : ['region box block 0 4 0 4 0 4']),
  'create_box 1 box',
  'create_atoms 1 box',
  'mass 1 1',
  ...COMMON,
];

/** A melt, and its numbers with all their digits. */
function start(name: string, tilt: readonly number[] | null) {
  run([
    ...head(tilt),
    'velocity all create 2.4 4711',
    'fix 1 all nve',
    'run 400',
    `write_dump all custom ${name}.dump id x y z vx vy vz modify sort id format float %.17g`,
    `print "$(lx:%.17g) $(ly:%.17g) $(lz:%.17g) $(xy:%.17g) $(xz:%.17g) $(yz:%.17g)" file ${name}.box screen no`,
  ]);
  const [lx, ly, lz, xy, xz, yz] = numbers(`${name}.box`)[0]!;
  const atoms = rows(`${name}.dump`);
  const section = (from: number) =>
    atoms.map((row, k) => `${k + 1} ${from === 0 ? '1 ' : ''}${row.slice(from, from + 3).join(' ')}`);
  writeFileSync(
    join(folder, `${name}.data`),
    [
      'made by a script\n',
      `${atoms.length} atoms\n1 atom types`,
      `0 ${lx} xlo xhi\n0 ${ly} ylo yhi\n0 ${lz} zlo zhi`,
      tilt ? `${xy} ${xz} ${yz} xy xz yz` : '',
      '\nAtoms # atomic\n',
      ...section(0),
      '\nVelocities\n',
      ...section(3),
      '',
    ].join('\n'),
  );
  return {
    lattice: [lx, 0, 0, xy, ly, 0, xz, yz, lz],
    positions: atoms.flatMap((row) => row.slice(0, 3)),
    velocities: atoms.flatMap((row) => row.slice(3, 6)),
  };
}

/** Box, energies and pressure as they are written at the end of steps; the pressure uses the box of that moment. */
const COLUMNS =
  '$(step) $(pe:%.17g) $(ke:%.17g) $(press:%.17g) $(xlo:%.17g) $(ylo:%.17g) $(zlo:%.17g) $(lx:%.17g) $(ly:%.17g) $(lz:%.17g) $(xy:%.17g) $(xz:%.17g) $(yz:%.17g)';

function evaluate(from: string, commands: readonly string[], steps = STEPS) {
  run([
    'units lj',
    'atom_style atomic',
    'atom_modify sort 0 0',
    'box tilt large',
    `read_data ${from}.data`,
    'mass 1 1',
    ...COMMON,
    'thermo_modify norm no',
    ...commands,
    `fix tell all print 10 "${COLUMNS}" file tell.txt screen no title ""`,
    `thermo 10`,
    `run ${steps}`,
    'write_dump all custom last.dump id xu yu zu vx vy vz modify sort id format float %.17g',
    `print "${COLUMNS}" file last.txt screen no`,
  ]);
  const last = rows('last.dump').slice(0, KEPT);
  return {
    start: from,
    commands,
    steps,
    rows: [...numbers('tell.txt').filter((row) => row.length > 1), ...numbers('last.txt')].filter(
      ([step], k, all) => all.findIndex(([other]) => other === step) === k,
    ),
    positions: last.flatMap((row) => row.slice(0, 3)),
    velocities: last.flatMap((row) => row.slice(3, 6)),
  };
}

/**
 * SLLOD of a shear is Newton's motion of the velocities of the laboratory, with images that move (Evans and Morriss 1984). `fix deform`
 * moves them after the forces of a step: here it is a step ahead, so that forces are of images of their own time. Velocities, energies
 * and pressures are written relative to the flow. `fix nvt/sllod` of this version has the term v · ∇u twice, and is no
 * reference: by a tenth, energies do not follow from the work of the stress.
 */
function flow(rate: number, fixes: readonly string[]) {
  const side = 6.718384765530029;
  const speed = rate * side;
  const columns = `${STEPS} $(pe:%.17g) \${ke} $(c_virial+v_ke*2/3/vol:%.17g) 0 0 0 $(lx:%.17g) $(ly:%.17g) $(lz:%.17g) $(xy:%.17g) 0 0`;
  run([
    'units lj',
    'atom_style atomic',
    'atom_modify sort 0 0',
    'box tilt large',
    'read_data cube.data',
    'mass 1 1',
    ...COMMON,
    'neigh_modify check no',
    'thermo_modify norm no',
    'change_box all triclinic',
    'compute flow all temp/deform',
    'compute virial all pressure NULL virial',
    `variable vx atom vx-${rate}*y`,
    `velocity all ramp vx 0 ${speed} y 0 ${side} sum yes`,
    ...fixes,
    `fix 2 all deform 1 xy erate ${rate} remap v flip no`,
    'thermo_style custom step c_flow',
    `run 0 start 0 stop ${STEPS + 1}`,
    'reset_timestep 1',
    `change_box all xy final ${0.005 * speed}`,
    `run ${STEPS} pre no start 0 stop ${STEPS + 1}`,
    'write_dump all custom last.dump id x y z v_vx vy vz modify sort id format float %.17g',
    'variable ke equal $(c_flow*1.5*(atoms-1):%.17g)',
    'unfix 1',
    'unfix 2',
    `change_box all xy final ${STEPS * 0.005 * speed}`,
    'thermo_style custom step pe c_virial',
    'thermo_modify norm no',
    'run 0',
    `print "${columns}" file last.txt screen no`,
  ]);
  const last = rows('last.dump').slice(0, KEPT);
  return {
    start: 'cube',
    commands: [...fixes, `fix 2 all deform 1 xy erate ${rate} remap v flip no`],
    steps: STEPS,
    rows: numbers('last.txt'),
    positions: last.flatMap((row) => row.slice(0, 3)),
    velocities: last.flatMap((row) => row.slice(3, 6)),
  };
}

const nve = 'fix 1 all nve';
const starts = {
  cube: start('cube', null),
  prism: start('prism', [0.6, -0.4, 0.3]),
};
const cases = {
  deform_rate: evaluate('cube', [nve, 'fix 2 all deform 1 x erate 0.1 z erate -0.05']),
  deform_true: evaluate('cube', [nve, 'fix 2 all deform 1 y trate 0.2']),
  deform_shear: evaluate('prism', [nve, 'fix 2 all deform 1 xz erate 0.9 flip no']),
  deform_wiggle: evaluate('cube', [nve, `fix 2 all deform 1 x wiggle 0.2 0.3`]),
  deform_flip: evaluate('cube', [nve, 'change_box all triclinic', 'fix 2 all deform 1 xy erate 1.5']),
  deform_velocities: evaluate('cube', [
    nve,
    'neigh_modify check no',
    'fix 2 all deform 1 x erate 0.1 z wiggle 0.2 0.3 remap v',
  ]),
  deform_velocities_shear: evaluate('prism', [
    nve,
    'neigh_modify check no',
    'fix 2 all deform 1 xz erate 0.9 yz erate 0.4 remap v flip no',
  ]),
  deform_velocities_flip: evaluate('cube', [
    nve,
    'neigh_modify check no',
    'change_box all triclinic',
    'fix 2 all deform 1 xy erate 1.5 remap v',
  ]),
  deform_velocities_nvt: evaluate('cube', [
    'fix 1 all nvt temp 1.2 1.2 0.2',
    'neigh_modify check no',
    'fix 2 all deform 1 x erate 0.4 z wiggle 0.2 0.3 remap v',
  ]),
  deform_velocities_berendsen: evaluate('prism', [
    nve,
    'neigh_modify check no',
    'fix 2 all temp/berendsen 1.2 1.6 0.2',
    'fix 3 all deform 1 xz erate 0.9 y erate 0.4 remap v flip no',
  ]),
  deform_stay: evaluate('cube', [
    nve,
    'neigh_modify check no',
    'fix 2 all deform 1 x erate 0.1 z wiggle 0.2 0.3 remap none',
  ]),
  deform_stay_shear: evaluate('prism', [
    nve,
    'neigh_modify check no',
    'fix 2 all deform 1 xz erate 0.9 yz erate 0.4 remap none flip no',
  ]),
  nph_aniso: evaluate('cube', ['fix 1 all nph aniso 2 2 0.5']),
  nph_triclinic: evaluate('prism', ['fix 1 all nph tri 2 2 0.5']),
  npt_z: evaluate('cube', ['fix 1 all npt temp 1.2 1.2 0.2 z 2 2 0.5']),
  nph_x: evaluate('cube', ['fix 1 all nph x 2 2 0.5']),
  berendsen_y: evaluate('cube', [nve, 'fix 2 all press/berendsen y 3 3 0.5 modulus 20']),
  berendsen_yz: evaluate('cube', [nve, 'fix 2 all press/berendsen x 3 3 0.5 y 3 3 0.5 z 3 3 0.5 couple yz modulus 20']),
  berendsen: evaluate('cube', [nve, 'fix 2 all press/berendsen iso 3 3 0.5 modulus 20']),
  berendsen_both: evaluate('cube', [nve, 'fix 2 all temp/berendsen 1.2 1.2 0.5', 'fix 3 all press/berendsen iso 3 5 0.5 modulus 20']),
  npt_ramp: evaluate('cube', ['fix 1 all npt temp 1.2 1.2 0.2 iso 2 4 0.5']),
  npt_heated: evaluate('cube', ['fix 1 all npt temp 1.2 1.6 0.2 iso 2 4 0.5']),
  npt_heated_triclinic: evaluate('prism', ['fix 1 all npt temp 1.6 1.0 0.2 tri 2 2 0.5']),
  nph_iso: evaluate('cube', ['fix 1 all nph iso 2 2 0.5']),
  npt_iso: evaluate('cube', ['fix 1 all npt temp 1.2 1.2 0.2 iso 2 2 0.5']),
  npt_aniso: evaluate('cube', ['fix 1 all npt temp 1.2 1.2 0.2 aniso 2 2 0.5']),
  npt_triclinic: evaluate('prism', ['fix 1 all npt temp 1.2 1.2 0.2 tri 2 2 0.5']),
  npt_two_lengths: evaluate('cube', ['fix 1 all npt temp 1.2 1.2 0.2 y 2 2 0.5 z 2 2 0.5']),
  nph_aniso_leaning: evaluate('prism', ['fix 1 all nph aniso 2 2 0.5']),
  npt_aniso_leaning: evaluate('prism', ['fix 1 all npt temp 1.2 1.2 0.2 aniso 2 4 0.5']),
  nph_y_leaning: evaluate('prism', ['fix 1 all nph y 2 2 0.5']),
  npt_two_lengths_leaning: evaluate('prism', ['fix 1 all npt temp 1.2 1.2 0.2 x 2 2 0.5 z 2 2 0.5']),
  npt_pressures_leaning: evaluate('prism', [
    'fix 1 all npt temp 1.2 1.2 0.2 x 1 2 0.5 y 3 3 0.5 z 6 4 0.5',
  ]),
  nph_two_pressures_leaning: evaluate('prism', ['fix 1 all nph x 1 1 0.5 z 6 6 0.5']),
  npt_beside_deform_leaning: evaluate('prism', [
    'fix 1 all npt temp 1.2 1.2 0.2 x 2 2 0.5 y 2 2 0.5',
    'fix 2 all deform 1 z erate 0.3',
  ]),
  nph_iso_leaning: evaluate('prism', ['fix 1 all nph iso 2 2 0.5']),
  npt_pressures: evaluate('cube', [
    'fix 1 all npt temp 1.2 1.2 0.2 x 1 2 0.5 y 3 3 0.5 z 6 4 0.5',
  ]),
  nph_two_pressures: evaluate('cube', ['fix 1 all nph x 1 1 0.5 z 6 6 0.5']),
  berendsen_pressures: evaluate('cube', [
    nve,
    'fix 2 all press/berendsen x 1 1 0.5 y 3 4 0.5 z 6 6 0.5 modulus 20',
  ]),
  npt_beside_deform: evaluate('cube', [
    'fix 1 all npt temp 1.2 1.2 0.2 x 2 2 0.5 y 2 2 0.5',
    'fix 2 all deform 1 z erate 0.3',
  ]),
  // fix npt scales tilts that are not 0 at the beginning with the lengths, and flips of fix deform have lengths of before that.
  nph_beside_shear: evaluate('prism', ['fix 1 all nph iso 2 2 0.5', 'fix 2 all deform 1 xy erate 1.1 flip no']),
  npt_beside_deform_velocities: evaluate('cube', [
    'fix 1 all npt temp 1.2 1.2 0.2 x 2 2 0.5 y 2 2 0.5',
    'neigh_modify check no',
    'fix 2 all deform 1 z erate 0.3 remap v',
  ]),
  nph_beside_shear_velocities: evaluate('prism', [
    'fix 1 all nph iso 2 2 0.5',
    'neigh_modify check no',
    'fix 2 all deform 1 xy erate 1.1 remap v flip no',
  ]),
  npt_beside_deform_none: evaluate('cube', [
    'fix 1 all npt temp 1.2 1.2 0.2 x 2 2 0.5 y 2 2 0.5',
    'neigh_modify check no',
    'fix 2 all deform 1 z erate 0.3 remap none',
  ]),
  npt_pressures_beside_deform: evaluate('cube', [
    'fix 1 all npt temp 1.2 1.2 0.2 y 1 1 0.5 z 6 6 0.5',
    'fix 2 all deform 1 x trate -0.3',
  ]),
  berendsen_beside_deform: evaluate('cube', [
    nve,
    'fix 2 all press/berendsen x 3 3 0.5 y 3 3 0.5 couple xy modulus 20',
    'fix 3 all deform 1 z wiggle 0.2 0.3',
  ]),
  npt_slab: evaluate('cube', [
    'change_box all z final -3 9.718384765530029 boundary p p f',
    'fix 1 all npt temp 1.2 1.2 0.2 x 2 2 0.5 y 2 2 0.5',
  ]),
  berendsen_slab: evaluate('cube', [
    'change_box all z final -3 9.718384765530029 boundary p p f',
    nve,
    'fix 2 all press/berendsen x 3 3 0.5 y 3 3 0.5 couple xy modulus 20',
  ]),
  npt_chains: evaluate('cube', ['fix 1 all npt temp 1.2 1.2 0.2 aniso 2 2 0.5 tchain 2 pchain 4 tloop 3 ploop 2']),
  npt_chains_triclinic: evaluate('prism', [
    'fix 1 all npt temp 1.2 1.6 0.2 tri 2 2 0.5 tchain 4 pchain 1 tloop 2 ploop 3',
  ]),
  nph_chain: evaluate('cube', ['fix 1 all nph iso 2 2 0.5 pchain 1 ploop 3']),
  nvt_berendsen: evaluate('cube', ['fix 1 all nvt temp 1.2 1.2 0.2', 'fix 2 all press/berendsen iso 3 3 0.5 modulus 20']),
  deform_leaning: evaluate('prism', [nve, 'fix 2 all deform 1 x erate 0.3 y erate -0.2 z trate 0.1']),
  deform_leaning_shear: evaluate('prism', [nve, 'fix 2 all deform 1 xy erate 2.5 y erate 0.1']),
  deform_leaning_velocities: evaluate('prism', [
    nve,
    'neigh_modify check no',
    'fix 2 all deform 1 xz erate 0.9 x erate 0.1 remap v flip no',
  ]),
  sllod: flow(0.5, [nve]),
  sllod_hot: flow(0.5, ['fix 1 all nvt temp 1.2 1.2 0.2', 'fix_modify 1 temp flow']),
  sllod_flips: flow(1.5, [nve]),
  // With flips LAMMPS gives those that cross a face in the step of a flip no velocity: its own runs with and without flips differ then.
  deform_velocities_flips: evaluate('cube', [
    nve,
    'neigh_modify check no',
    'change_box all triclinic',
    'fix 2 all deform 1 xy erate 1.4 xz erate 1.3 remap v flip no',
  ]),
  // The lattice as a whole: what c leans over b goes along with b.
  deform_leaning_follow: evaluate('prism', [nve, `fix 2 all deform 1 xy erate 0.8 xz vel ${0.8 * starts.prism.lattice[7]!} flip no`]),
};
writeFileSync(join(here, 'reference.json'), `${JSON.stringify({ starts, cases })}\n`);
rmSync(folder, { recursive: true });
