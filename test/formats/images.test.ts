import { afterAll, afterEach, expect, it } from 'vitest';
import { formatOf, readFrames } from '../support/frames.js';
import { meltYaml, runCli, Workplace } from '../support/runCli.js';

const work = new Workplace();
afterEach(() => work.clear());
afterAll(() => work.remove());

const run = async (yaml: string, output: string) => {
  work.write({ [`${output}.yaml`]: yaml });
  const argv = ['run', work.path(`${output}.yaml`), '--backend', 'cpu', '--threads', '1'];
  const { code, err } = await runCli([...argv, '--output', work.path(output)]);
  expect(code, err).toBe(0);
};
const framesOf = async (format: string, file: string) =>
  (await readFrames(formatOf(format), work.path(file), ['A'])).frames;

/** A hot gas in a small box: particles cross it soon. */
const gas = (dump: string, more: Readonly<Record<string, string>> = {}) =>
  meltYaml({
    global: '{ dt: 0.005, rcut_inc: 0.3, end_iteration: 200, thermo_frequency: 200 }',
    setup_system:
      '\n  - lattice: { structure: fcc, density: 0.3, repeat: [3, 3, 3], types: [A] }\n  - init_temperature: { temperature: 8 }',
    dump_data: dump,
    ...more,
  });
const dump =
  '\n  - write_lammps_dump: { file: a.dump, frequency: 10, columns: [id, type, element, x, y, z, ix, iy, iz, xu, yu, zu, vx, vy, vz] }';

it('unwrapped positions go on over the edges of the box, in all formats', async () => {
  const others = `
  - write_extended_xyz: { file: a.xyz, frequency: 10, fields: [pos, velo, id, image] }
  - write_gsd: { file: a.gsd, frequency: 10, images: true }
  - write_dcd: { file: a.dcd, frequency: 10, unwrap: true }
  - write_xtc: { file: a.xtc, frequency: 10, unwrap: true, precision: 1e5 }
  - write_lammps_data: { file: a.data, frequency: 10, images: true }`;
  await run(gas(dump + others), 'out');
  const [dumps, texts, gsds, dcds, xtcs, data] = await Promise.all([
    framesOf('lammps_dump', 'out/a.dump'),
    framesOf('extended_xyz', 'out/a.xyz'),
    framesOf('gsd', 'out/a.gsd'),
    framesOf('dcd', 'out/a.dcd'),
    framesOf('xtc', 'out/a.xtc'),
    framesOf('lammps_data', 'out/a.data'),
  ]);
  expect(data[0]!.image).toEqual(dumps.at(-1)!.image);
  expect(dumps).toHaveLength(21);
  const side = dumps[0]!.lattice![0]!;
  const unwrapped = (frame: (typeof dumps)[number], k: number) =>
    frame.position[k]! + frame.image![k]! * frame.lattice![4 * (k % 3)]!;
  let crossings = 0;
  for (let n = 1; n < dumps.length; n++)
    for (let k = 0; k < 3 * dumps[n]!.count; k++) {
      const [now, before] = [unwrapped(dumps[n]!, k), unwrapped(dumps[n - 1]!, k)];
      // 10 steps of the mean velocity, and what collisions change of it.
      const path = 0.05 * (dumps[n]!.velocity![k]! + dumps[n - 1]!.velocity![k]!) * 0.5;
      expect(Math.abs(now - before - path)).toBeLessThan(side / 6);
      if (dumps[n]!.image![k] !== dumps[n - 1]!.image![k]) crossings++;
      expect(unwrapped(texts[n]!, k)).toBeCloseTo(now, 12);
      for (const { position } of [dcds[n]!, xtcs[n]!])
        expect(Math.abs(position[k]! - now)).toBeLessThan(1e-5);
      const corner = gsds[n]!.origin[k % 3]! - dumps[n]!.origin[k % 3]!;
      expect(Math.abs(unwrapped(gsds[n]!, k) - corner - now)).toBeLessThan(1e-5);
    }
  expect(crossings).toBeGreaterThan(50);
});

it('a run that reads image flags goes on counting from them', async () => {
  await run(gas(dump), 'out');
  const last = (await framesOf('lammps_dump', 'out/a.dump')).at(-1)!;
  for (const [name, read] of [
    ['dump', 'read_lammps_dump: { file: out/a.dump, frame: -1 }'],
    ['xyz', 'read_extended_xyz: { file: last.xyz }'],
  ] as const) {
    if (name === 'xyz') {
      const argv = ['convert', work.path('out/a.dump'), work.path('last.xyz'), '--frames', '-1'];
      expect((await runCli(argv)).code).toBe(0);
    }
    await run(gas(dump, { setup_system: `\n  - ${read}` }), name);
    const [first] = await framesOf('lammps_dump', `${name}/a.dump`);
    expect(first!.image).toEqual(last.image);
    expect(first!.image!.some((turns) => turns !== 0)).toBe(true);
  }
});
