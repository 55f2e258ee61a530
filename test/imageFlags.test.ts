import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Domain } from '@corpuscle/core';
import { afterAll, expect, it } from 'vitest';
import { formatOf, readFrames } from './support/frames.js';
import { checkpointed, RunFolders, type RunMachine } from './support/restarts.js';
import { meltYaml } from './support/runCli.js';
import { runs } from './support/runs.js';

const folders = new RunFolders();
afterAll(() => folders.remove());

const STEPS = 80;
const FEW = 40;
/** Particles that hardly meet: between two of the few frames they go through the box several times. */
const fast = (box: string, scheme: string | null): string =>
  checkpointed(STEPS, FEW, {
    global: `{ dt: 0.005, rcut_inc: 0.3, end_iteration: ${STEPS}, thermo_frequency: ${STEPS} }`,
    setup_system: `
  - lattice: { structure: fcc, density: 0.1, repeat: [3, 3, 2], types: [A] }
  - init_temperature: { temperature: 400 }
  - change_box: ${box}`,
    compute_force: '\n  - lennard_jones_force: { epsilon: 1.0e-14, sigma: 1.0, rcut: 1.5 }',
    ...(scheme !== null && { numerical_scheme: scheme }),
    dump_data: `
  - write_extended_xyz: { file: all.xyz, frequency: 1, fields: [pos, id] }
  - write_extended_xyz: { file: few.xyz, frequency: ${FEW}, fields: [pos, id, image] }
  - write_xtc: { file: few.xtc, frequency: ${FEW}, unwrap: true, precision: 1.0e+5 }
  - mean_square_displacement: { every: ${FEW}, file: msd.csv }
  - checkpoint: { frequency: ${FEW}, keep: 9 }`,
  });
/** Mean square displacements of the frames of a file. */
const again = (reader: string, file: string): string => `
particle_types: { A: { mass: 1.0 } }
simulation:
  - ${reader}: { file: '${file}', loop: true${reader === 'read_xtc' ? ', unwrapped: true' : ''} }
  - mean_square_displacement: { file: again.csv }
`;

const tilted = '{ strain: { xy: 0.3, yz: -0.2 } }';
const open = '{ periodic: [true, false, true] }';
const bath =
  '{ nose_hoover: { pressure: 50, tau_pressure: 2, coupling: triclinic, temperature: 400, tau: 0.2 } }';
const cases: readonly (readonly [string, string, string | null, RunMachine, number])[] = [
  ['cpu', tilted, null, { threads: 2 }, 1e-11],
  ['webgpu', tilted, null, { backend: 'webgpu' }, 1e-4],
  ['webgpu, mixed, open', open, null, { backend: 'webgpu', precision: 'mixed' }, 1e-9],
  ['cpu, a box that changes', tilted, bath, { threads: 2 }, 1e-11],
  ['webgpu, a box that changes', tilted, bath, { backend: 'webgpu' }, 1e-4],
];

const fileOf = (run: string, file: string): string => path.join(folders.folder(run), file);
const framesOf = async (run: string, file: string) =>
  (await readFrames(formatOf('extended_xyz'), fileOf(run, file), ['A'])).frames;
type Frame = Awaited<ReturnType<typeof framesOf>>[number];

const boxOf = ({ lattice, origin, periodic }: Frame): Domain =>
  Domain.triclinic(lattice!, { origin: origin as [number, number, number], periodic });

/** Lattice coordinates, three a particle. */
function inLattice(frame: Frame): number[] {
  const box = boxOf(frame);
  const { position: r, count } = frame;
  return Array.from({ length: count }, (_, k) =>
    box.toFractional(r[3 * k]!, r[3 * k + 1]!, r[3 * k + 2]!, [0, 0, 0]),
  ).flat();
}

/** Lattice coordinates that go on over the faces of the box: in a step no particle goes half a box. */
function traveled(all: readonly Frame[]): number[][] {
  const inside = all.map(inLattice);
  const gone = [inside[0]!];
  for (let n = 1; n < all.length; n++)
    gone.push(
      gone[n - 1]!.map((s, k) => {
        const step = inside[n]![k]! - inside[n - 1]![k]!;
        return s + step - (all[n]!.periodic[k % 3] ? Math.round(step) : 0);
      }),
    );
  return gone;
}

/** The mean square of the differences of places, given in lattice coordinates of two boxes. */
function meanSquare(now: readonly number[], box: Domain, first: readonly number[], old: Domain) {
  let sum = 0;
  for (let k = 0; k < now.length; k += 3) {
    const [to, from] = [box.toCartesian(...triple(now, k)), old.toCartesian(...triple(first, k))];
    for (let axis = 0; axis < 3; axis++) sum += (to[axis]! - from[axis]!) ** 2;
  }
  return (3 * sum) / now.length;
}
const triple = (values: readonly number[], k: number) =>
  [values[k]!, values[k + 1]!, values[k + 2]!] as const;

const displacements = (run: string, file: string): number[] =>
  readFileSync(fileOf(run, file), 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => Number(line.split(',')[2]));

it.each(runs(cases.slice(0, 2), cases.slice(2)))(
  'image flags and mean square displacements of few frames are those of every step: %s',
  async (name, box, scheme, machine, tolerance) => {
    // Also where a run goes on in between.
    const options = { from: [FEW], files: ['few.xyz', 'msd.csv'] };
    await folders.compare(name, fast(box, scheme), machine, options);
    const [all, few] = [await framesOf(name, 'all.xyz'), await framesOf(name, 'few.xyz')];
    expect([all.length, few.length]).toEqual([STEPS + 1, STEPS / FEW + 1]);
    const gone = traveled(all).filter((_, step) => step % FEW === 0);
    const [first] = few;
    let far = 0;
    few.forEach((frame, n) => {
      const errors = inLattice(frame).map((s, k) =>
        Math.abs(s + frame.image![k]! - first!.image![k]! - gone[n]![k]!),
      );
      expect(Math.max(...errors)).toBeLessThan(tolerance);
      far += frame.image!.filter((boxes, k) => Math.abs(boxes - first!.image![k]!) > 1).length;
    });
    expect(far).toBeGreaterThan(20);

    await folders.run(`${name}, xyz`, again('read_extended_xyz', fileOf(name, 'few.xyz')));
    await folders.run(`${name}, xtc`, again('read_xtc', fileOf(name, 'few.xtc')));
    const squares = gone.map((place, n) => {
      // Unwrapped places are those of flags that count from the first frame on.
      const from = place.map((s, k) => s + first!.image![k]!);
      const origin = gone[0]!.map((s, k) => s + first!.image![k]!);
      return meanSquare(from, boxOf(few[n]!), origin, boxOf(first!));
    });
    // XTC rounds positions to 1e-5.
    for (const [run, file, error] of [
      [name, 'msd.csv', 10 * tolerance],
      [`${name}, xyz`, 'again.csv', 10 * tolerance],
      [`${name}, xtc`, 'again.csv', 10 * tolerance + 1e-4],
    ] as const)
      displacements(run, file).forEach((square, n) => {
        expect(Math.abs(square - squares[n]!)).toBeLessThan(error * (1 + square));
      });
  },
);

it('image flags that the epilog alone asks for count from where particles were placed', async () => {
  const epilog =
    '\nsimulation_epilog: [write_extended_xyz: { file: last.xyz, fields: [pos, id, image] }]\n';
  const asks = fast(tilted, null) + epilog;
  await folders.run('asked', asks);
  await folders.run('late', asks.replace(/\n {2}- (write|mean).*(image|unwrap|every).*/g, ''));
  const [asked, late] = [await framesOf('asked', 'last.xyz'), await framesOf('late', 'last.xyz')];
  expect(late[0]!.image).toEqual(asked[0]!.image);
  expect(late[0]!.image!.filter((boxes) => Math.abs(boxes) > 1).length).toBeGreaterThan(20);
});

it('frames of a device have the flags of their step, also where all were the same in a file', async () => {
  const particles = Array.from({ length: 64 }, (_, k) => {
    const [x, y, z] = [k % 4, Math.floor(k / 4) % 4, Math.floor(k / 16)].map((n) => 2.5 * n + 0.1);
    return `A ${x} ${y} ${z} ${40 * Math.sin(k)} ${-30 * Math.cos(k)} ${20 * Math.sin(2 * k)} 0 0 0`;
  });
  const head = 'Lattice="10 0 0 3 10 0 0 -2 10" Properties=species:S:1:pos:R:3:velo:R:3:image:I:3';
  const file = path.join(folders.root, 'start.xyz');
  writeFileSync(file, `${particles.length}\n${head}\n${particles.join('\n')}\n`);
  const parts = {
    global: '{ dt: 0.005, rcut_inc: 0.3, end_iteration: 40 }',
    setup_system: `\n  - read_extended_xyz: { file: '${file}' }`,
    compute_force: '\n  - lennard_jones_force: { epsilon: 1.0e-14, sigma: 1.0, rcut: 1.5 }',
    dump_data:
      '\n  - write_extended_xyz: { file: all.xyz, frequency: 1, fields: [pos, id, image] }',
  };
  await folders.run('same flags', meltYaml(parts), { backend: 'webgpu' });
  const all = await framesOf('same flags', 'all.xyz');
  const gone = traveled(all);
  all.forEach((frame, n) => {
    const errors = inLattice(frame).map((s, k) =>
      Math.abs(s + frame.image![k]! - gone[n]![k]! - all[0]!.image![k]!),
    );
    expect(Math.max(...errors), `step ${n}`).toBeLessThan(1e-4);
  });
  expect(all.at(-1)!.image!.some((boxes) => boxes !== 0)).toBe(true);
});
