import { readFileSync } from 'node:fs';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { meltYaml, runCli, Workplace } from './support/runCli.js';

const work = new Workplace();
afterEach(() => work.clear());
afterAll(() => work.remove());

interface Case {
  /** What is wrong. */
  readonly name: string;
  /** Parts of the melt that are replaced; or the whole of `run.yaml`. */
  readonly parts?: Readonly<Record<string, string | null>>;
  readonly yaml?: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly argv?: readonly string[];
  /** `file:line:column` of the message. */
  readonly at?: string;
  readonly message: RegExp;
  /** Default 2. */
  readonly code?: number;
}

// Lines of the melt: 1 configuration, 2 global, 3 particle_types, 4 setup_system, 5 lattice, 6 init_temperature,
// 7 compute_force, 8 lennard_jones_force, 9 simulation.
const force = (text: string) => ({ compute_force: `\n  - lennard_jones_force: ${text}` });
const setup = (text: string) => ({ setup_system: `\n  - ${text}` });
const global = (text: string) => ({ global: text });
const xyz = (text: string): Pick<Case, 'parts' | 'files'> => ({
  parts: setup('read_extended_xyz: { file: a.xyz }'),
  files: { 'a.xyz': text },
});
const BOX = 'Lattice="9 0 0 0 9 0 0 0 9" Properties=species:S:1:pos:R:3:id:I:1 pbc="T T T"';

const cases: readonly Case[] = [
  // the text
  {
    name: 'YAML that does not parse',
    yaml: 'global: { dt: 0.005\nsimulation: x\n',
    at: 'run.yaml:1:9',
    message: /'\{' is not closed: add '\}'/,
  },
  { name: 'an empty file', yaml: '', message: /simulation/ },
  { name: 'a list at the top', yaml: '- a\n- b\n', at: 'run.yaml:1:1', message: /./ },
  {
    name: 'a key given twice',
    yaml: `${meltYaml()}global: { dt: 0.001 }\n`,
    at: 'run.yaml:10:1',
    message: /global|unique/,
  },
  { name: 'no simulation', parts: { simulation: null }, message: /simulation/ },
  // names
  {
    name: 'an unknown top-level key',
    parts: { particel_types: '{ A: { mass: 1 } }' },
    at: 'run.yaml:10:1',
    message: /particel_types.*particle_types/,
  },
  {
    name: 'an unknown configuration key',
    parts: { configuration: '{ units: lj, sead: 1 }' },
    at: 'run.yaml:1:29',
    message: /sead.*seed/,
  },
  {
    name: 'an unknown global',
    parts: global('{ dt: 0.005, end_iteraton: 20 }'),
    at: 'run.yaml:2:22',
    message: /end_iteraton.*end_iteration/,
  },
  {
    name: 'an unknown slot',
    parts: force('{ epsilon: 1.0, sigma: 1.0, rcutt: 2.5 }'),
    at: 'run.yaml:8:54',
    message: /rcutt.*rcut/,
  },
  {
    name: 'an unknown operator',
    parts: { compute_force: '\n  - lenard_jones_force: { epsilon: 1, sigma: 1, rcut: 2.5 }' },
    at: 'run.yaml:8:5',
    message: /lenard_jones_force.*lennard_jones_force/,
  },
  {
    name: 'an unknown simulation',
    parts: { simulation: 'molecular_dynamic' },
    at: 'run.yaml:9:13',
    message: /molecular_dynamic.*molecular_dynamics/,
  },
  {
    name: 'an unknown particle type in lattice',
    parts: setup('lattice: { structure: fcc, density: 1, repeat: [4, 4, 4], types: [B] }'),
    at: 'run.yaml:5:71',
    message: /'?B'?.*A/,
  },
  {
    name: 'an unknown structure',
    parts: setup('lattice: { structure: fccc, density: 1, repeat: [4, 4, 4] }'),
    at: 'run.yaml:5:27',
    message: /fccc.*fcc/,
  },
  {
    name: 'an unknown unit system',
    parts: { configuration: '{ units: imperial }' },
    at: 'run.yaml:1:25',
    message: /imperial/,
  },
  {
    name: 'an unknown shift',
    parts: force('{ epsilon: 1, sigma: 1, rcut: 2.5, shift: enegy }'),
    at: 'run.yaml:8:68',
    message: /enegy.*energy/,
  },
  // values
  {
    name: 'text for a number',
    parts: global('{ dt: fast, end_iteration: 20 }'),
    at: 'run.yaml:2:15',
    message: /fast/,
  },
  {
    name: 'a step of 0',
    parts: global('{ dt: 0, end_iteration: 20 }'),
    at: 'run.yaml:2:15',
    message: /0/,
  },
  {
    name: 'a fractional number of steps',
    parts: global('{ dt: 0.005, end_iteration: 2.5 }'),
    at: 'run.yaml:2:37',
    message: /2\.5/,
  },
  {
    name: 'a negative skin',
    parts: global('{ dt: 0.005, rcut_inc: -0.3, end_iteration: 20 }'),
    at: 'run.yaml:2:32',
    message: /-0\.3/,
  },
  {
    name: 'a thermo_frequency of 0',
    parts: global('{ dt: 0.005, end_iteration: 20, thermo_frequency: 0 }'),
    at: 'run.yaml:2:59',
    message: /0/,
  },
  { name: 'no time step', parts: global('{ end_iteration: 20 }'), message: /dt/ },
  { name: 'no end of the run', parts: global('{ dt: 0.005 }'), message: /end_iteration/ },
  {
    name: 'an unknown unit',
    parts: global('{ dt: "0.005 parsecs", end_iteration: 20 }'),
    at: 'run.yaml:2:22',
    message: /parsecs/,
  },
  {
    name: 'a wrong dimension',
    parts: {
      configuration:
        '{ units: { length: angstrom, mass: Dalton, time: picosecond, energy: eV, temperature: kelvin } }',
      global: '{ dt: "1 ang", end_iteration: 20 }',
    },
    at: 'run.yaml:2:16',
    message: /a length, but a time/,
  },
  {
    name: 'a unit in reduced units',
    parts: force('{ epsilon: 1, sigma: 1, rcut: "2.5 ang" }'),
    at: 'run.yaml:8:57',
    message: /ang/,
  },
  {
    name: 'a negative mass',
    parts: { particle_types: '{ A: { mass: -1 } }' },
    at: 'run.yaml:3:30',
    message: /-1/,
  },
  {
    name: 'a particle type without mass',
    parts: { particle_types: '{ A: {} }' },
    at: 'run.yaml:3',
    message: /mass/,
  },
  {
    name: 'a negative temperature',
    parts: {
      setup_system:
        '\n  - lattice: { structure: fcc, density: 1, repeat: [4, 4, 4] }\n  - init_temperature: { temperature: -1 }',
    },
    at: 'run.yaml:6:38',
    message: /-1/,
  },
  {
    name: 'two repeats instead of three',
    parts: setup('lattice: { structure: fcc, density: 1, repeat: [4, 4] }'),
    at: 'run.yaml:5:52',
    message: /3|three/,
  },
  {
    name: 'density and lattice constant',
    parts: setup('lattice: { structure: fcc, density: 1, lattice_constant: 1, repeat: [4, 4, 4] }'),
    at: 'run.yaml:5',
    message: /density or lattice_constant/,
  },
  {
    name: 'types that do not fit the cell',
    parts: {
      ...setup('lattice: { structure: fcc, density: 1, repeat: [4, 4, 4], types: [A, A] }'),
    },
    at: 'run.yaml:5:70',
    message: /4 sites/,
  },
  {
    name: 'a lattice too large to count',
    parts: setup('lattice: { structure: fcc, density: 1, repeat: [9999, 9999, 9999] }'),
    at: 'run.yaml:5:52',
    message: /repeat/,
  },
  // potentials
  {
    name: 'a missing pair',
    parts: {
      particle_types: '{ A: { mass: 1 }, B: { mass: 1 } }',
      ...force('{ pairs: [{ types: [A, A], epsilon: 1, sigma: 1, rcut: 2.5 }] }'),
    },
    at: 'run.yaml:8',
    message: /A-B/,
  },
  {
    name: 'an unknown type in pairs',
    parts: force('{ pairs: [{ types: [A, C], epsilon: 1, sigma: 1, rcut: 2.5 }] }'),
    at: 'run.yaml:8:49',
    message: /C/,
  },
  {
    name: 'a pair given twice',
    parts: force(
      '{ pairs: [{ types: [A, A], epsilon: 1, sigma: 1, rcut: 2.5 }, { types: [A, A], epsilon: 1, sigma: 1, rcut: 2 }] }',
    ),
    at: 'run.yaml:8',
    message: /twice/,
  },
  {
    name: 'epsilon beside pairs',
    parts: force('{ epsilon: 1, pairs: [{ types: [A, A], epsilon: 1, sigma: 1, rcut: 2.5 }] }'),
    at: 'run.yaml:8',
    message: /epsilon.*pairs/,
  },
  {
    name: 'a potential without a cutoff',
    parts: force('{ epsilon: 1, sigma: 1 }'),
    at: 'run.yaml:8',
    message: /rcut/,
  },
  {
    name: 'a cutoff that exceeds fifteen boxes',
    parts: force('{ epsilon: 1.0, sigma: 1.0, rcut: 350 }'),
    at: 'run.yaml:8:60',
    message: /350.*15 times/,
  },
  {
    name: 'a cutoff of 0',
    parts: force('{ epsilon: 1.0, sigma: 1.0, rcut: 0 }'),
    at: 'run.yaml:8:60',
    message: /0/,
  },
  // particles from files
  {
    name: 'a file that is not there',
    parts: setup('read_extended_xyz: { file: none.xyz }'),
    at: 'run.yaml:5',
    message: /none\.xyz/,
  },
  { name: 'an empty xyz file', ...xyz(''), at: 'a.xyz:1:1', message: /empty/ },
  { name: 'no atoms', ...xyz(`0\n${BOX}\n`), at: 'a.xyz:1:1', message: /no particles/ },
  { name: 'a malformed count', ...xyz(`two\n${BOX}\n`), at: 'a.xyz:1:1', message: /two/ },
  {
    name: 'a truncated xyz file',
    ...xyz(`3\n${BOX}\nA 1 2 3 0\nA 2 2 3 1\n`),
    at: 'a.xyz:4:1',
    message: /truncated/,
  },
  {
    name: 'more particles than the count',
    ...xyz(`1\n${BOX}\nA 1 2 3 0\nA 2 2 3 1\n`),
    at: 'a.xyz:4:1',
    message: /more particles/,
  },
  {
    name: 'a malformed number',
    ...xyz(`1\n${BOX}\nA 1 2,5 3 0\n`),
    at: 'a.xyz:3:5',
    message: /2,5/,
  },
  {
    name: 'a NaN position',
    ...xyz(`2\n${BOX}\nA 1 2 3 0\nA 2 nan 3 1\n`),
    at: 'a.xyz:4:5',
    message: /nan/,
  },
  {
    name: 'an infinite position',
    ...xyz(`2\n${BOX}\nA 1 2 3 0\nA 2 2 -Infinity 1\n`),
    at: 'a.xyz:4:7',
    message: /-Infinity/,
  },
  {
    name: 'a position out of this world',
    ...xyz(`2\n${BOX}\nA 1 2 3 0\nA 2 -1e30 3 1\n`),
    at: 'a.xyz:4:1',
    message: /particle 1 is at y = -1e\+30/,
  },
  {
    name: 'an id that occurs twice',
    ...xyz(`2\n${BOX}\nA 1 2 3 7\nA 2 2 3 7\n`),
    at: 'a.xyz:4:9',
    message: /id 7/,
  },
  {
    name: 'a species that is no type',
    ...xyz(`1\n${BOX}\nX 1 2 3 0\n`),
    at: 'a.xyz:3:1',
    message: /'X'/,
  },
  {
    name: 'a lattice of six numbers',
    ...xyz('1\nLattice="9 9 9 90 90 90"\nA 1 2 3\n'),
    at: 'a.xyz:2:10',
    message: /9 numbers/,
  },
  {
    name: 'a frame beyond the end',
    parts: setup('read_extended_xyz: { file: a.xyz, frame: 3 }'),
    files: { 'a.xyz': `1\n${BOX}\nA 1 2 3 0\n` },
    at: 'a.xyz',
    message: /frame 3/,
  },
  {
    name: 'two atoms at the same place',
    ...xyz(`3\n${BOX}\nA 1 2 3 5\nA 4 4 4 6\nA 1 2 3 9\n`),
    at: 'a.xyz:5:1',
    message: /particles 5 and 9 .*same place/,
  },
  {
    name: 'two atoms at the same place across the boundary',
    ...xyz(`3\n${BOX}\nA 0 2 3 5\nA 4 4 4 6\nA 9 2 3 8\n`),
    at: 'a.xyz:5:1',
    message: /particles 5 and 8 .*same place/,
  },
  // the command line
  {
    name: 'a YAML file that is not there',
    argv: ['run', 'missing.yaml'],
    message: /missing\.yaml/,
  },
  { name: 'an unknown option', argv: ['run', 'run.yaml', '--thread', '2'], message: /--thread/ },
  { name: 'an unknown backend', argv: ['run', 'run.yaml', '--backend', 'cuda'], message: /cuda/ },
  {
    name: 'a thread count of 0',
    argv: ['run', 'run.yaml', '--threads', '0'],
    message: /whole number/,
  },
  { name: 'an unknown command', argv: ['rum', 'run.yaml'], message: /rum/ },
  {
    name: 'a --set without a value',
    argv: ['run', 'run.yaml', '--set', 'global.dt'],
    message: /global\.dt/,
  },
  {
    name: 'a --set of an unknown key',
    argv: ['run', 'run.yaml', '--set', 'global.dtt=0.1'],
    message: /dtt/,
  },
  {
    name: 'a --set of a wrong value',
    argv: ['run', 'run.yaml', '--set', 'global.dt=soon'],
    message: /soon/,
  },
  {
    name: 'an output directory that is a file',
    files: { taken: '' },
    argv: ['run', 'run.yaml', '--output', 'taken'],
    message: /taken/,
  },
  {
    name: 'an output file that is a directory',
    parts: { simulation: '\n  - molecular_dynamics\n  - write_extended_xyz: { file: sub }' },
    files: { 'sub/keep': '' },
    argv: ['run', 'run.yaml', '--output', '.'],
    message: /sub/,
  },
  {
    name: 'one file under two names',
    parts: { dump_data: '\n  - write_extended_xyz: { file: x/../thermo.csv }' },
    at: 'run.yaml:11:33',
    message: /both write thermo\.csv/,
  },
  {
    name: 'an output that is the input',
    parts: {
      ...setup('read_extended_xyz: { file: a.xyz }'),
      simulation: '\n  - molecular_dynamics\n  - write_extended_xyz: { file: a.xyz }',
    },
    files: { 'a.xyz': `1\n${BOX}\nA 1 2 3 0\n` },
    argv: ['run', 'run.yaml', '--output', '.'],
    at: 'run.yaml:10:33',
    message: /overwrite .*a\.xyz, which read_extended_xyz reads/,
  },
  {
    name: 'a column written twice',
    parts: { dump_data: '\n  - write_extended_xyz: { file: b.xyz, fields: [pos, id, pos] }' },
    at: 'run.yaml:11:48',
    message: /pos twice/,
  },
  {
    name: 'a particle type with a blank in its name',
    parts: { particle_types: '{ "A B": { mass: 1.0 } }' },
    at: 'run.yaml:3:19',
    message: /'A B'/,
  },
];

/** In the working directory, with messages that name files by it. */
async function runHere(argv: readonly string[]) {
  const before = process.cwd();
  process.chdir(work.root);
  try {
    return await runCli(argv);
  } finally {
    process.chdir(before);
  }
}

const argvOfRun = ['run', 'run.yaml', '--output', 'out', '--threads', '1', '--backend', 'cpu'];

it('a run that blows up ends in one sentence, and keeps what it has written', async () => {
  const parts = global('{ dt: 5, rcut_inc: 0.3, end_iteration: 200, thermo_frequency: 100 }');
  work.write({ 'run.yaml': meltYaml(parts) });
  const { code, err } = await runHere(argvOfRun);
  expect(err).toMatch(/^[^\n]*blew up at step \d+ at particle \d+/);
  expect(err).not.toMatch(/internal error|\n {4}at /);
  expect(code).toBe(1);
  expect(readFileSync(work.path('out/thermo.csv'), 'utf8')).toMatch(/^step,.*\n0,.*\n$/);
});

describe('bad input ends in one sentence, and nothing is written', () => {
  it('has forty cases or more', () => expect(cases.length).toBeGreaterThanOrEqual(40));

  it.each(cases)('$name', async ({ parts, yaml, files, argv, at, message, code }) => {
    const inputs = { 'run.yaml': yaml ?? meltYaml(parts), ...files };
    work.write(inputs);
    const result = await runHere(argv ?? argvOfRun);
    expect(result.err.split('\n')[0]).toMatch(message);
    expect(result.code, result.err).toBe(code ?? 2);
    if (at) expect(result.err.startsWith(`${at}:`), result.err).toBe(true);
    expect(result.err).not.toMatch(/internal error|\n {4}at /);
    expect(work.files()).toEqual(Object.keys(inputs).sort());
  });
});
