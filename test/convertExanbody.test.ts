import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { runCli, Workplace } from './support/runCli.js';

const work = new Workplace();
afterAll(() => work.remove());

async function convert(text: string, files: Readonly<Record<string, string>> = {}) {
  work.write({ 'in.msp': text, ...files });
  return runCli(['convert', work.path('in.msp')]);
}

const start = `
configuration: { physics: { units: { length: angstrom, mass: Dalton, time: picosecond, temperature: kelvin, energy: joule } } }
global: { dt: 2.0e-3 ps, rcut_inc: 1.0 ang, rcut_max: 8.0 ang, simulation_log_frequency: 5, simulation_end_iteration: 5 }
compute_force:
  - lennard_jones_force: { config: { epsilon: 0.0104 eV, sigma: 3.4 ang }, rcut: 8.0 ang }
simulation: default_simulation
`;
const crystal = `
input_data:
  - particle_types: { particle_type_map: { Ar: 0 } }
  - particle_type_add_properties:
      Ar: { mass: 39.948 Da, z: 18 }
  - domain: { cell_size: 5.3 ang, grid_dims: [6, 6, 6], bounds: [[0.0 um, 0, 0], [31.8 ang, 31.8 ang, 31.8 ang]], periodic: [true, true, true] }
  - init_rcb_grid
`;
const fcc = (more = '') =>
  `  - lattice: { structure: FCC, types: [Ar, Ar, Ar, Ar], size: [5.3 ang, 5.3 ang, 5.3 ang]${more} }\n`;

describe('an input of exaNBody', () => {
  it('converts and runs', async () => {
    const { code, out, err } = await convert(
      `${start}${crystal}${fcc()}  - gaussian_noise_r: { sigma: 0.05 ang }\n`,
    );
    expect({ code, err }).toEqual({ code: 0, err: '' });
    work.write({ 'a.yaml': out });
    const run = await runCli([
      'run',
      work.path('a.yaml'),
      '--output',
      work.path('out'),
      '--backend',
      'cpu',
      '--threads',
      '1',
    ]);
    expect(run).toMatchObject({ code: 0 });
    expect(run.out).toMatch(/atoms +864\n/);
    expect(readFileSync(work.path('out/thermo.csv'), 'utf8').trim().split('\n')).toHaveLength(3);
  });

  it('has its regions: quadrics that are scaled, turned and moved', async () => {
    const regions = `  - particle_regions:
      - BALL: { quadric: { shape: sphere, transform: [ { scale: [9 ang, 9 ang, 9 ang] }, { translate: [15.9 ang, 15.9 ang, 15.9 ang] } ] } }
      - HALF: { quadric: { shape: { plane: [1, 0, 0, 0] }, transform: [ { zrot: pi }, { translate: [15 ang, 0, 0] } ] } }
      - SLAB: { bounds: [[0, 0, 0], [100 ang, 100 ang, 10 ang]] }
`;
    const count = async (expression: string) => {
      const { code, out } = await convert(
        `${start}${crystal}${regions}${fcc(`, region: ${expression}`)}`,
      );
      expect(code).toBe(0);
      work.write({
        'a.yaml': out.replace(
          /compute_force:[\s\S]*/,
          'simulation:\n  - setup_system\n  - write_extended_xyz: { file: a.xyz }\n',
        ),
      });
      const argv = [
        'run',
        work.path('a.yaml'),
        '--output',
        work.path('out'),
        '--overwrite',
        '--backend',
        'cpu',
      ];
      expect(await runCli([...argv, '--threads', '1'])).toMatchObject({ code: 0 });
      return Number(readFileSync(work.path('out/a.xyz'), 'utf8').split('\n')[0]);
    };
    // Counted by hand over the sites of 6³ cells.
    const sites: number[][] = [];
    for (let k = 0; k < 864; k++) {
      const [cell, site] = [Math.floor(k / 4), k % 4];
      const shift = [
        [0, 0, 0],
        [0, 0.5, 0.5],
        [0.5, 0, 0.5],
        [0.5, 0.5, 0],
      ][site]!;
      sites.push(
        [cell % 6, Math.floor(cell / 6) % 6, Math.floor(cell / 36)].map(
          (c, axis) => 5.3 * (c + shift[axis]!),
        ),
      );
    }
    const ball = ([x, y, z]: number[]) => Math.hypot(x! - 15.9, y! - 15.9, z! - 15.9) <= 9;
    const half = ([x]: number[]) => x! >= 15; // the plane is turned by π
    const slab = ([, , z]: number[]) => z! <= 10;
    expect(await count('BALL')).toBe(sites.filter(ball).length);
    expect(await count('SLAB and ( HALF or not BALL )')).toBe(
      sites.filter((r) => slab(r) && (half(r) || !ball(r))).length,
    );
  });

  it('merges what it includes, appends by +name, and resolves anchors', async () => {
    const base = `${start}${crystal}${fcc()}other: &cut 7.5 ang\n`;
    const { code, out } = await convert(
      `includes: [ base.cfg ]\nglobal: { simulation_end_iteration: 9, dt: !time 1 fs }\n+input_data:\n  - replicate_domain: { repeat: [1, 1, 2] }\nmine: &c 7.5 ang\ncompute_force:\n  - lennard_jones_force: { config: { epsilon: 0.01 eV, sigma: 3.4 ang }, rcut: *c }\n`,
      { 'base.cfg': base },
    );
    expect(code).toBe(3); // other and mine are asked for by nothing
    expect(out).toContain('end_iteration: 9');
    expect(out).toContain('dt: 1 fs');
    expect(out).toContain('- replicate: { repeat: [1, 1, 2] }');
    expect(out).toContain('rcut: 7.5 ang');
  });
});

describe('what has no counterpart', () => {
  it('is a comment at its place, with exit code 3', async () => {
    const { code, out } = await convert(
      `includes: [ elsewhere.cfg, ../x.cfg ]\n${start}dt: 1\ndt: 2\n${crystal}${fcc()}  - scale_v: 1000. m/s\n  - my_operator: { a: 1 }\n`,
    );
    expect(code).toBe(3);
    const lines = out.split('\n');
    expect(lines.some((line) => /^# .*includes elsewhere.cfg/.test(line))).toBe(true);
    expect(lines.some((line) => /^# .*includes \.\.\/x.cfg/.test(line))).toBe(true);
    expect(lines.some((line) => /^# .*dt \(the key is there twice/.test(line))).toBe(true);
    const at = lines.findIndex((line) => /^ {2}# line \d+, not converted: scale_v/.test(line));
    expect(lines[at + 1]).toMatch(/^ {2}# line \d+, not converted: my_operator/);
    work.write({ 'a.yaml': out });
    expect(await runCli(['check', work.path('a.yaml')])).toMatchObject({ code: 0 });
  });

  it.each([
    ['a: [1', 'this is no YAML'],
    ['includes: [ in.msp ]', 'includes too many files, or itself'],
    ['- a\n- b', 'an input is a map of sections'],
    [`a: ${'['.repeat(100)}${']'.repeat(100)}`, 'too deep'],
    [
      `a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n${[1, 2, 3, 4, 5, 6]
        .map(
          (k) =>
            `a${k}: &a${k} [${Array(10)
              .fill(`*a${k - 1}`)
              .join(', ')}]`,
        )
        .join('\n')}`,
      'too deep',
    ],
  ])('or a mistake of one sentence: %s', async (text, message) => {
    const { code, out, err } = await convert(text);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(message);
    expect(err).toMatch(/in\.msp:\d+:/);
  });
});

it('takes what stands in quotes and brackets at any indent', async () => {
  const { code, out } = await convert(
    `${start}logo_banner:\n  - message: "\n* \\" #\n*"\n${crystal}${fcc().replace('size: [', 'size: [\n')}`,
  );
  expect(code).toBe(0);
  expect(out).toContain('lattice_constant: 5.3 ang');
});
