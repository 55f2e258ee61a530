import { afterAll, describe, expect, it } from 'vitest';
import { assembleWat } from '../../../../test/support/assembleWat.js';
import { meltYaml, runCli, Workplace } from '../../../../test/support/runCli.js';

const work = new Workplace();
afterAll(() => work.remove());

/** The command's answer for a small melt. */
async function kernels(...options: string[]) {
  work.write({
    'run.yaml': meltYaml({ global: '{ dt: 0.005, rcut_inc: 0.3, end_iteration: 40 }' }),
  });
  return runCli(['kernels', work.path('run.yaml'), '--threads', '1', ...options]);
}

/** Labels in the table of contents. */
const contents = (text: string): string[] =>
  [...text.matchAll(/^(?:\/\/|;;) +\d+ {2}(\S.*?)(?: {2,}for .*)?$/gm)].map((match) => match[1]!);

/** Texts of the kernels, without the lines between them. */
const texts = (text: string): string[] => text.split(/^(?:\/\/|;;) ──── .*\n/m).slice(1);

describe('corpuscle kernels', () => {
  it('prints the sort, the search and the force of a melt in WGSL', async () => {
    const { code, out, err } = await kernels();
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const labels = contents(out);
    expect(labels).toEqual(
      expect.arrayContaining([
        'sort: bin',
        'sort: permute',
        'neighbors: build lists',
        'lennard_jones',
      ]),
    );
    expect(labels).toContain('lennard_jones + kick + kick_drift + displacement');
    expect(texts(out)).toHaveLength(labels.length);
    for (const text of texts(out)) expect(text).toMatch(/@compute @workgroup_size/);
    expect(out).toMatch(/ 3 +neighbors: build lists +for .*update_neighbors/);
    expect(work.files()).toEqual(['run.yaml']);
  });

  it('prints kernels of operators that look for particles by their ids', async () => {
    work.write({
      'bias.yaml': meltYaml({
        global: '{ dt: 0.005, rcut_inc: 0.3, end_iteration: 20 }',
        compute_force: `
  - lennard_jones_force: { epsilon: 1.0, sigma: 1.0, rcut: 2.5 }
  - coordination:
      group_a: { first: 0, last: 9 }
      group_b: all
      switch: { type: rational, r_0: 1.2, d_max: 2.2 }
      harmonic_bias: { at: 150, kappa: 0.05 }`,
      }),
    });
    const { code, out, err } = await runCli(['kernels', work.path('bias.yaml')]);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(contents(out)).toEqual(expect.arrayContaining(['coordination_bias', 'harmonic_bias']));
  });

  it('says of each kernel what it does, what it is given, and which operators need it', async () => {
    const { out } = await kernels('--functor', 'kick_drift');
    expect(out).toMatch(/kick_drift.* for .*push_velocity_and_position/);
    expect(out).toContain('  call      cell functors in order: kick_drift\n');
    expect(out).toMatch(/p_halfDt: f32, \/\/ p\.halfDt\n/);
    expect(out).toMatch(/b_velocity: array<vec4f>; \/\/ vx vy vz\n/);
  });

  it('prints WebAssembly that an assembler takes', async () => {
    const { code, out } = await kernels('--target', 'wat');
    expect(code).toBe(0);
    expect(contents(out)).toEqual(
      expect.arrayContaining([
        'neighbors.search.half',
        'neighbors.permute',
        'lennard_jones',
        'kick',
      ]),
    );
    for (const text of texts(out))
      expect(WebAssembly.validate((await assembleWat(text)) as BufferSource)).toBe(true);
  });

  it('prints JavaScript that an engine takes', async () => {
    const { out } = await kernels('--target', 'js', '--functor', 'lennard_jones');
    for (const text of texts(out)) {
      const memory = new WebAssembly.Memory({ initial: 1 });
      expect(typeof new Function('memory', text)(memory)).toBe('function');
    }
  });

  it('says where arguments lie, and that the engine has kernels in WebAssembly besides', async () => {
    const { out } = await kernels('--target', 'wat', '--functor', 'kick');
    expect(out).toContain(
      ';; The argument record, byte: name\n;;   0: block.velocity (address)\n;;   8: block.force (address)\n',
    );
    const { out: sort } = await kernels('--target', 'js', '--functor', 'neighbors.bin');
    expect(sort).toContain('// Always WebAssembly: --target wat prints it.\n');
  });

  it.each(['wgsl', 'wat', 'js'])('tells kernels of one name apart in %s', async (target) => {
    const { out } = await kernels('--target', target, '--functor', 'lennard_jones');
    const [head] = out.split('────');
    const [first, ...others] = head!.split(/^.. +\d+ {2}lennard_jones(?: +for .*)?\n/m).slice(1);
    expect(others.length).toBeGreaterThan(0);
    expect(first).toMatch(/sums over all particles|and to the totals/);
    for (const other of others) expect(other).toMatch(/^.. {8}store +sums/);
  });

  it('leaves out kernels without the functor or the step', async () => {
    const { out } = await kernels('--functor', 'sort');
    expect(contents(out)).toEqual(['sort: bin', 'sort: permute']);
    const force = contents((await kernels('--functor', 'lennard_jones')).out);
    expect(force.length).toBeGreaterThan(1);
    for (const label of force) expect(label).toContain('lennard_jones');
  });

  it('prints kernels of pairs of floats, which no device has to prove', async () => {
    const { code, out } = await kernels('--precision', 'f64', '--functor', 'lennard_jones');
    expect(code).toBe(0);
    expect(out).toContain('Reals are pairs of floats (high, low).');
  });

  it('says which functor was meant', async () => {
    const { code, out, err } = await kernels('--functor', 'lenard_jones');
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toBe(
      "corpuscle: no kernel of this run has a functor 'lenard_jones': did you mean 'lennard_jones'?\n",
    );
  });

  it('refuses an unknown language', async () => {
    expect(await kernels('--target', 'cuda')).toMatchObject({ code: 2, out: '' });
  });
});
