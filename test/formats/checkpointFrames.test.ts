import { readFileSync } from 'node:fs';
import { afterAll, expect, it } from 'vitest';
import { formatOf, readFrames } from '../support/frames.js';
import { meltYaml, runCli, Workplace } from '../support/runCli.js';

const work = new Workplace();
afterAll(() => work.remove());

const start = `3
Lattice="4 0 0 1 4 0 0 0 9" Origin="0 -1 0" pbc="T T F" Properties=species:S:1:pos:R:3:velo:R:3:id:I:1:mass:R:1:charge:R:1:tag:R:2
A 0 0 1 1 0 0 7 1 0.5 1 2
B 1 1 3 0 2 0 3 4 -0.5 3 4
A 2 2 5 0 0 3 9 1 0 5 6
`;
const input = (file: string, dt: number, end: number) =>
  meltYaml({
    global: `{ dt: ${dt}, rcut_inc: 0.3, end_iteration: ${end}, thermo_frequency: 1 }`,
    particle_types: '{ A: { mass: 1 }, B: { mass: 4 } }',
    setup_system: `\n  - read_extended_xyz: { file: ${file} }\n  - bond_particles: { bonds: [[3, 9]] }`,
    compute_force: '\n  - soft_force: { A: 1, rcut: 1.5 }',
    dump_data:
      '\n  - checkpoint: { frequency: 5 }\n  - write_extended_xyz: { file: last.xyz, frequency: 5, fields: [pos, velo, id] }',
  });

it('another simulation begins from the particles of a checkpoint, which convert writes', async () => {
  work.write({ 'start.xyz': start, 'first.yaml': input('start.xyz', 0.002, 5) });
  const at = (name: string) => work.path(name);
  const run = (name: string) =>
    runCli(['run', at(`${name}.yaml`), '--backend', 'cpu', '--output', at(name)]);
  expect(await run('first')).toMatchObject({ code: 0, err: '' });
  const converted = await runCli(['convert', at('first/checkpoint.5.ckpt'), at('next.xyz')]);
  expect(converted).toMatchObject({ code: 0, err: '' });
  expect(converted.out).toMatch(/next\.xyz: 1 frame of 3 particles, checkpoint to extended_xyz/);

  const [saved] = (await readFrames(formatOf('checkpoint'), at('first/checkpoint.5.ckpt'))).frames;
  expect(saved).toMatchObject({
    step: 5,
    species: ['A', 'B'],
    periodic: [true, true, false],
    origin: [0, -1, 0],
    bonds: [{ ids: [3, 9] }],
  });
  expect([...saved!.charge!]).toEqual([-0.5, 0.5, 0]); // in the order of ids
  expect(saved!.extra.get('tag')).toMatchObject({
    width: 2,
    values: Float64Array.of(3, 4, 1, 2, 5, 6),
  });
  const [, last] = (await readFrames(formatOf('extended_xyz'), at('first/last.xyz'))).frames;
  expect(saved!.position).toEqual(last!.position);
  expect(saved!.velocity).toEqual(last!.velocity);

  work.write({ 'next.yaml': input('next.xyz', 0.004, 0) });
  expect(await run('next')).toMatchObject({ code: 0, err: '' });
  const energies = (folder: string) =>
    readFileSync(at(`${folder}/thermo.csv`), 'utf8')
      .trim()
      .split('\n')
      .at(-1)!
      .split(',')
      .slice(2, 6);
  expect(energies('next')).toEqual(energies('first'));
});
