import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { readExtendedXyz } from '@corpuscle/operators';
import { afterAll, describe, expect, it } from 'vitest';
import { EDGE, start } from './data/thermostats/start.js';
import { caseYaml, integratorCases, startText } from './support/integratorCases.js';
import { RunFolders } from './support/restarts.js';

const runs = new RunFolders();
afterAll(() => runs.remove());

const write = (name: string) =>
  writeFileSync(path.join(runs.folder(name), 'start.xyz'), startText());
const text = (name: string, file: string) =>
  readFileSync(path.join(runs.folder(name), file), 'utf8');

describe.each(['cpu', 'webgpu'] as const)('on %s', (backend) => {
  it.each(backend === 'cpu' ? ['moved', 'wiggled', 'rotated'] : ['wiggled'])(
    'a run with particles that are %s goes on from a checkpoint to the same bits',
    async (name) => {
      const yaml = caseYaml(
        integratorCases[name]!,
        'dump_data: [checkpoint: { frequency: 4, keep: 9 }]',
        'dt: 0.004, end_iteration: 10, thermo_frequency: 5',
      );
      const [whole, again] = [`${name}-${backend}`, `${name}-${backend}-again`];
      write(whole);
      await runs.run(whole, yaml, { backend });
      await runs.run(again, yaml, { backend }, { name: whole, step: 4 });
      expect(text(again, 'thermo.csv')).toBe(text(whole, 'thermo.csv'));
    },
  );

  it('particles that have crossed a face of a box that deforms are where they are told to be, in the box there is', async () => {
    const name = `deformed-${backend}`;
    write(name);
    const yaml = caseYaml(
      {
        commands: [],
        scheme:
          '[{ velocity_verlet: { group: light } }, { prescribed_motion: { group: heavy, velocity: [4, 0, 0] } }, { deform: { strain: { xx: -0.05 } } }]',
      },
      'simulation_epilog: [write_extended_xyz: { file: last.xyz, fields: [pos, id] }]',
      'dt: 0.004, end_iteration: 100, thermo_frequency: 100',
    );
    await runs.run(name, yaml, { backend });
    const { position } = readExtendedXyz(path.join(runs.folder(name), 'last.xyz'));
    const { positions, types } = start();
    const edge = 0.95 * EDGE;
    const apart = types.flatMap((type, id) => {
      const from = positions[3 * id]! + 1.6 - position[3 * id]!;
      return type === 1 ? [from - edge * Math.round(from / edge)] : [];
    });
    // They followed the box in the last step: by 5e-4 of the distance from its center.
    expect(Math.max(...apart.map(Math.abs))).toBeLessThan(0.003);
  });

  it('displace_particles scatters within its bounds, evenly, the same by id on every backend', async () => {
    const name = `random-${backend}`;
    write(name);
    const yaml = caseYaml(
      {
        commands: [],
        scheme: 'velocity_verlet',
        setup: ['displace_particles: { random: [0.1, 0.05, 0], group: heavy, seed: 7 }'],
      },
      'simulation_epilog: [write_extended_xyz: { file: last.xyz, fields: [pos, id] }]',
      'dt: 0.004, end_iteration: 0, thermo_frequency: 1',
    );
    await runs.run(name, yaml, { backend });
    const { position } = readExtendedXyz(path.join(runs.folder(name), 'last.xyz'));
    const { positions, types } = start();
    const moved = types.map((_, id) =>
      [0, 1, 2].map((axis) => {
        const apart = position[3 * id + axis]! - positions[3 * id + axis]!;
        return apart - EDGE * Math.round(apart / EDGE);
      }),
    );
    moved.forEach(([x, y, z], id) => {
      expect(Math.abs(x!)).toBeLessThan(types[id] === 1 ? 0.1 : 1e-6);
      expect(Math.abs(y!)).toBeLessThan(types[id] === 1 ? 0.05 : 1e-6);
      expect(Math.abs(z!)).toBeLessThan(1e-6);
    });
    const heavy = moved.filter((_, id) => types[id] === 1);
    const variance = heavy.reduce((sum, [x]) => sum + x! * x!, 0) / heavy.length;
    // 86 uniform numbers: their mean square is 0.1²/3 within 0.1²·√(4/45/86), four times.
    expect(Math.abs(variance - 0.01 / 3)).toBeLessThan(4 * 0.01 * Math.sqrt(4 / 45 / heavy.length));
    found.push(heavy[0]![0]!);
    expect(found[0]).toBeCloseTo(found.at(-1)!, 5);
  });
});

/** What the first heavy particle is moved by along x, on each backend. */
const found: number[] = [];

it.each([
  ['displace_particles: { group: all }', 'needs one of move, ramp, random and rotate'],
  ['displace_particles: { move: [0, 0, 1], random: [1, 1, 1] }', 'needs one of'],
  [
    'displace_particles: { ramp: { axis: x, range: [1, 1], from: [0, 0, 0], to: [1, 0, 0] } }',
    'the ramp has no length',
  ],
  [
    'displace_particles: { rotate: { point: [0, 0, 0], axis: [0, 0, 0], angle: 9 } }',
    'the axis has no direction',
  ],
])('tells what is wrong with %s', async (line, message) => {
  write('wrong');
  const yaml = caseYaml({ commands: [], scheme: 'velocity_verlet', setup: [line] });
  await expect(runs.run('wrong', yaml)).rejects.toThrow(message);
});

it.each([
  ['{ prescribed_motion: { group: heavy } }', 'needs velocity, wiggle or rotate'],
  [
    '{ prescribed_motion: { velocity: [1, 0, 0], rotate: { point: [0, 0, 0], axis: [0, 0, 1], period: 1 } } }',
    'has rotate and velocity',
  ],
  [
    '[velocity_verlet, { prescribed_motion: { velocity: [1, 0, 0], group: heavy } }]',
    'both move the particles of group heavy',
  ],
])('tells what is wrong with %s', async (scheme, message) => {
  write('wrong');
  await expect(runs.run('wrong', caseYaml({ commands: [], scheme }))).rejects.toThrow(message);
});
