import { readFileSync } from 'node:fs';
import { CoordinationNumber, type CoordinationOptions, createGrid } from '@corpuscle/operators';
import { createExecutionContext } from '@corpuscle/patterns';
import { describe, expect, it } from 'vitest';
import { coordinationCase, frameOfCase } from './support/coordinationCase.js';
import { runsInWorkplace } from './support/coordinationRun.js';
import { largestDifference } from './support/particlesOf.js';
import { runCli } from './support/runCli.js';

const { work, run, output } = runsInWorkplace();
const big = coordinationCase('big_500_ortho');

/** Frames as extended xyz; types alternate between A and B. */
function xyz(frames: readonly (readonly (readonly number[])[])[], box: readonly number[] | null) {
  return frames
    .map((positions) =>
      [
        positions.length,
        `${box ? `Lattice="${box.join(' ')}" ` : ''}Properties=species:S:1:pos:R:3`,
        ...positions.map((r, k) => `${k % 2 === 0 ? 'A' : 'B'} ${r.join(' ')}`),
      ].join('\n'),
    )
    .join('\n')
    .concat('\n');
}

const yaml = (slots: string, reading = '{ file: frames.xyz }') =>
  `simulation:\n  - read_extended_xyz: ${reading}\n  - coordination: { ${slots} }\n`;

describe('coordination of a file', () => {
  it('writes JSON for one frame', async () => {
    const result = await run(
      yaml('group_a: all, switch: { type: rational, r_0: 0.3, d_max: 0.6 }, file: cn.json'),
      { 'frames.xyz': xyz([big.positions], big.box!.flat()) },
    );
    expect(result.err).toBe('');
    expect(result.code).toBe(0);
    const record = JSON.parse(output('cn.json'));
    expect(Object.keys(record)).toEqual([
      'step',
      'value',
      'derivatives',
      'box_derivatives',
      'per_particle',
    ]);
    expect(Math.abs(record.value / big.expected.value - 1)).toBeLessThan(1e-12);
    expect(
      largestDifference(record.derivatives.flat(), big.expected.derivatives.flat()),
    ).toBeLessThan(1e-11);
    expect(
      largestDifference(record.box_derivatives.flat(), big.expected.boxDerivatives.flat()),
    ).toBeLessThan(1e-11);
    expect(record.per_particle).toHaveLength(500);
  });

  it('writes a line for each frame, also where lists and boxes change', async () => {
    const two = coordinationCase('sw_rational_dmax_ortho');
    const [lattice, other] = [big.box!.flat(), two.box!.flat()];
    const frames = [
      xyz([big.positions], lattice),
      xyz([two.positions], other),
      xyz([big.positions], lattice),
    ].join('');
    for (const group of ['all', '{ first: 0, last: 99 }']) {
      const result = await run(
        yaml(
          `group_a: ${group}, switch: { r_0: 0.3, d_max: 0.6 }, file: cn.json`,
          '{ file: frames.xyz, loop: true }',
        ),
        { 'frames.xyz': frames },
      );
      expect(result.code, result.err).toBe(0);
      const records = output('cn.json')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
      expect(records.map(({ step }) => step)).toEqual([0, 1, 2]);
      expect(Math.abs(records[1].value / two.expected.value - 1)).toBeLessThan(1e-12);
      if (group === 'all')
        expect(Math.abs(records[0].value / big.expected.value - 1)).toBeLessThan(1e-12);
      expect(Math.abs(records[2].value / records[0].value - 1)).toBeLessThan(1e-14);
      expect(
        largestDifference(records[2].derivatives.flat(), records[0].derivatives.flat()),
      ).toBeLessThan(1e-12);
      work.clear();
    }
  });

  it('writes CSV and COLVAR, and tells the terminal without a file', async () => {
    const files = { 'frames.xyz': xyz([big.positions], big.box!.flat()) };
    const s = 'group_a: A, group_b: B, switch: { r_0: 0.3, d_max: 0.6 }';
    await run(yaml(`${s}, file: cn.csv`), files);
    const [header, row] = output('cn.csv').trim().split('\n');
    expect(header).toBe('step,time,coordination');
    const value = Number(row!.split(',')[2]);
    expect(value).toBeGreaterThan(0);
    await run(yaml(`${s}, file: COLVAR`), files);
    expect(output('COLVAR')).toBe(`#! FIELDS time coordination\n 0 ${value}\n`);
    const shown = await run(yaml(s), files);
    expect(shown.out + shown.err).toContain(`coordination ${value}`);
  });

  it('takes types, ranges and lists alike', async () => {
    const files = { 'frames.xyz': xyz([big.positions], big.box!.flat()) };
    const values: number[] = [];
    for (const groups of [
      'group_a: A, group_b: B',
      'group_a: { first: 0, last: 499, stride: 2 }, group_b: { first: 1, last: 499, stride: 2 }',
      `group_a: [${Array.from({ length: 250 }, (_, k) => 2 * k)}], group_b: B`,
    ]) {
      const result = await run(
        yaml(`${groups}, switch: { r_0: 0.3, d_max: 0.6 }, file: cn.json`),
        files,
      );
      expect(result.code, result.err).toBe(0);
      values.push(JSON.parse(output('cn.json')).value);
    }
    expect(largestDifference(values, [values[0]!, values[0]!, values[0]!])).toBeLessThan(1e-11);
  });
});

describe('mistakes are errors at their place', () => {
  const files = {
    'frames.xyz': xyz(
      [
        [
          [0, 0, 0],
          [0.3, 0, 0],
          [0, 0.4, 0],
        ],
      ],
      null,
    ),
  };
  const cases: readonly [string, string, RegExp][] = [
    ['NN = MM', 'group_a: all, switch: { r_0: 0.3, nn: 6, mm: 6 }', /3:\d+.*mm are both 6/s],
    ['NN = 0', 'group_a: all, switch: { r_0: 0.3, nn: 0 }', /3:\d+.*nn is 0/s],
    ['MM = 0', 'group_a: all, switch: { r_0: 0.3, mm: 0 }', /3:\d+.*mm is 0.*leave it out/s],
    ['MM < 0', 'group_a: all, switch: { r_0: 0.3, mm: -2 }', /3:\d+.*mm is -2/s],
    ['NN < 0', 'group_a: all, switch: { r_0: 0.3, nn: -6 }', /3:\d+.*nn is -6/s],
    ['NN that is not whole', 'group_a: all, switch: { r_0: 0.3, nn: 2.5 }', /3:\d+.*2\.5/s],
    [
      'D_MAX below D_0',
      'group_a: all, switch: { r_0: 0.3, d_0: 0.5, d_max: 0.4 }',
      /3:\d+.*d_max 0.4 does not exceed d_0 0.5/s,
    ],
    ['R_0 = 0', 'group_a: all, switch: { r_0: 0 }', /3:\d+.*r_0/s],
    ['R_0 < 0', 'group_a: all, switch: { r_0: -1 }', /3:\d+.*r_0/s],
    ['no R_0', 'group_a: all, switch: { type: exp }', /3:\d+.*exp needs r_0/s],
    [
      'D_MAX ≤ D_0',
      'group_a: all, switch: { r_0: 0.3, d_0: 0.5, d_max: 0.5 }',
      /3:\d+.*d_max 0.5/s,
    ],
    [
      'unequal pair groups',
      'group_a: [0, 1], group_b: [2], pair: true, switch: { r_0: 0.3 }',
      /3:\d+.*equal size/s,
    ],
    [
      'unequal pair groups known at run time',
      'group_a: A, group_b: B, pair: true, switch: { r_0: 0.3 }',
      /3:\d+.*equal size: group_a has 2/s,
    ],
    ['pair with one group', 'group_a: all, pair: true, switch: { r_0: 0.3 }', /3:\d+.*two groups/s],
    ['an id out of range', 'group_a: [0, 3], switch: { r_0: 0.3 }', /3:\d+.*id 3.*0 to 2/s],
    ['a negative id', 'group_a: [-1], switch: { r_0: 0.3 }', /3:\d+.*-1 is no id/s],
    ['an empty group', 'group_a: [], switch: { r_0: 0.3 }', /3:\d+.*empty/s],
    ['an unknown type', 'group_a: C, switch: { r_0: 0.3 }', /3:\d+.*'C'/s],
    [
      'a list cutoff below D_MAX',
      'group_a: all, switch: { r_0: 0.3, d_max: 0.6 }, list_cutoff: 0.5',
      /3:\d+.*list_cutoff 0.5.*d_max 0.6/s,
    ],
    [
      'a bad expression',
      'group_a: all, switch: { type: custom, r_0: 0.3, func: "1/(1+x^6" }',
      /3:\d+.*character 9.*'\)' is missing/s,
    ],
    [
      'an expression that is never finite',
      'group_a: all, switch: { type: custom, r_0: 0.3, func: "x+1/0" }',
      /3:\d+.*no finite number/s,
    ],
    [
      'an unknown name in an expression',
      'group_a: all, switch: { type: custom, r_0: 0.3, func: "process(x)" }',
      /3:\d+.*'process' is unknown/s,
    ],
    [
      'CUBIC with R_0',
      'group_a: all, switch: { type: cubic, r_0: 0.3, d_max: 1 }',
      /3:\d+.*cubic takes no r_0/s,
    ],
    ['CUBIC without D_MAX', 'group_a: all, switch: { type: cubic }', /3:\d+.*needs d_max/s],
    [
      'D_MAX in the keyword form',
      'group_a: all, keyword_form: true, switch: { r_0: 0.3, d_max: 1 }',
      /3:\d+.*by itself/s,
    ],
  ];

  it.each(cases)('%s', async (_, slots, message) => {
    const result = await run(yaml(`${slots}, file: cn.json`), files);
    expect(result.code, result.err).toBe(2);
    expect(result.err).toContain('run.yaml');
    expect(result.err).toMatch(message);
    expect(work.files()).not.toContain('cn.json');
  });
});

describe('coordination in a run', () => {
  const melt = (slots: string) => `
configuration: { units: lj, seed: 87287 }
global: { dt: 0.005, rcut_inc: 0.3, end_iteration: 10, thermo_frequency: 10 }
particle_types: { A: { mass: 1.0 } }
setup_system:
  - lattice: { structure: fcc, density: 0.8442, repeat: [5, 5, 5], types: [A] }
  - init_temperature: { temperature: 1.44 }
compute_force: [lennard_jones_force: { epsilon: 1.0, sigma: 1.0, rcut: 2.5 }]
dump_data:
  - coordination: { ${slots} }
  - write_extended_xyz: { file: last.xyz, frequency: 10, fields: [pos, id] }
simulation: molecular_dynamics
`;

  it.each(['cpu', 'webgpu'])('follows the particles on %s', async (backend) => {
    for (const group of ['all', '{ first: 0, last: 399 }']) {
      const result = await run(
        melt(`group_a: ${group}, switch: { r_0: 1.2, d_max: 2.6 }, file: cn.json, frequency: 5`),
        {},
        '--backend',
        backend,
      );
      expect(result.code, result.err).toBe(0);
      const records = output('cn.json')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
      expect(records.map(({ step }) => step)).toEqual([0, 5, 10]);
      // The last frame again, from the file.
      const analysis = await run(
        yaml(
          `group_a: ${group}, switch: { r_0: 1.2, d_max: 2.6 }, file: again.json`,
          '{ file: last.xyz, frame: -1 }',
        ),
        {},
      );
      expect(analysis.code, analysis.err).toBe(0);
      const again = JSON.parse(output('again.json'));
      const tolerance = backend === 'cpu' ? 1e-12 : 2e-6;
      expect(Math.abs(records[2].value / again.value - 1)).toBeLessThan(tolerance);
      expect(
        largestDifference(records[2].derivatives.flat(), again.derivatives.flat()),
      ).toBeLessThan(backend === 'cpu' ? 1e-11 : 2e-5);
      work.clear();
    }
  });
});

describe('what the description says', () => {
  it('the example melts', async () => {
    const example = readFileSync(
      new URL('../examples/07-coordination.yaml', import.meta.url),
      'utf8',
    );
    const result = await run(example, {});
    expect(result.code, result.err).toBe(0);
    const rows = output('coordination.csv').trim().split('\n').slice(1);
    const numbers = rows.map((row) => Number(row.split(',')[2]) / (864 / 2));
    expect(numbers).toHaveLength(11);
    expect(numbers[0]).toBeGreaterThan(numbers[10]!);
  });

  it('the command lists every slot', async () => {
    const { code, out } = await runCli(['operators', 'coordination']);
    expect(code).toBe(0);
    for (const slot of ['group_a', 'switch', 'keyword_form', 'list_cutoff', 'harmonic_bias'])
      expect(out).toContain(slot);
  });

  it('explains its way', async () => {
    await using ctx = await createExecutionContext({ backend: 'cpu', threads: 1 });
    const grid = createGrid(frameOfCase(big), [{ name: 'A', mass: 1 }], ctx.heap);
    const explain = async (options: Omit<CoordinationOptions, 'groupA'>) => {
      const number = new CoordinationNumber(ctx, { groupA: 'all', ...options });
      try {
        return await number.explain(grid);
      } finally {
        number.close();
      }
    };
    const near = { type: 'rational', r0: 0.3, dMax: 0.6 } as const;
    expect(await explain({ switch: near })).toMatchObject({
      path: 'cell_lists',
      reason: expect.stringContaining('lists are made for this frame'),
    });
    expect(await explain({ switch: near, pbc: false })).toMatchObject({
      path: 'all_pairs',
      reason: 'periodic images are left out',
    });
    expect(await explain({ switch: { ...near, dMax: 1.95 } })).toMatchObject({
      path: 'all_pairs',
      reason: expect.stringContaining('half the box (1.9)'),
    });
    expect(await explain({ switch: { ...near, dMax: undefined } })).toMatchObject({
      reason: 'the switch has no end',
    });
    await expect(explain({ switch: near, pbc: false, path: 'neighbor_lists' })).rejects.toThrow(
      'neighbor lists cannot be used here',
    );
    grid.free();
  });
});
