// Groups that are particle types, in runs in which particles come, go, and get another type: against all pairs of the frames.

import { createExecutionContext } from '@corpuscle/patterns';
import { describe, expect, it } from 'vitest';
import { runText } from './support/runText.js';

const [R0, D_MAX] = [1.3, 2.4];
const rational = (r: number) => (1 - (r / R0) ** 6) / (1 - (r / R0) ** 12);
const last = rational(D_MAX);
/** Within D_MAX; stretched to 0 there. */
const switching = (r: number) => (rational(r) - last) / (1 - last);

const changes = {
  come: 'create_particles: { type: B, count: 6, min_distance: 0.7, temperature: 1, every: 5, from: 5 }',
  go: 'delete_particles: { fraction: 0.1, every: 5 }',
  'get another type': 'set: { type: B, fraction: 0.05 }',
} as const;
/** As operators in `dump_data`, and as biases. */
const places = { 'a bias': ', harmonic_bias: { at: 20, kappa: 1e-5 }', 'an analysis': '' } as const;
const groups = {
  'group_a: B': 'BB',
  'group_a: B, group_b: A': 'BA',
  'group_a: B, group_b: all': 'B*',
};

const text = (change: string, repeat: number, group: string, bias: string) => {
  const number = `  - coordination: { ${group}, switch: { type: rational, r_0: ${R0}, d_max: ${D_MAX} }, file: number.csv, every: 1${bias} }\n`;
  return `
configuration: { units: lj, seed: 1029 }
global: { dt: 0.002, rcut_inc: 0.3, end_iteration: 12, thermo_frequency: 10 }
particle_types: { A: { mass: 1 }, B: { mass: 1 } }
setup_system:
  - lattice: { structure: fcc, density: 0.8, repeat: [${repeat}, ${repeat}, ${repeat}], types: [A, A, A, B] }
  - init_temperature: { temperature: 0.9 }
compute_force:
  - lennard_jones_force: { epsilon: 1, sigma: 1, rcut: 2.5 }
${bias ? number : ''}dump_data:
${bias ? '' : number}  - write_extended_xyz: { file: frames.xyz, frequency: 1, fields: [pos] }
after_drift: [{ ${change} }]
simulation: molecular_dynamics
`;
};

interface Particle {
  readonly type: string;
  readonly at: readonly number[];
}

/** Cubic boxes. */
function framesOf(
  xyz: string,
): { readonly edge: number; readonly particles: readonly Particle[] }[] {
  const frames = [];
  const lines = xyz.trim().split('\n');
  for (let k = 0; k < lines.length; ) {
    const count = Number(lines[k]);
    const edge = Number(/Lattice="(\S+)/.exec(lines[k + 1]!)![1]);
    const particles = lines.slice(k + 2, k + 2 + count).map((line) => {
      const [type, ...at] = line.split(/\s+/);
      return { type: type!, at: at.map(Number) };
    });
    frames.push({ edge, particles });
    k += 2 + count;
  }
  return frames;
}

function numberOf({ edge, particles }: ReturnType<typeof framesOf>[number], pair: string): number {
  const [first, second] = [pair[0]!, pair[1]!].map((name) =>
    particles.filter(({ type }) => name === '*' || type === name),
  ) as [Particle[], Particle[]];
  const nearest = (d: number) => d - edge * Math.round(d / edge);
  let sum = 0;
  for (const a of first) {
    const [x, y, z] = a.at as [number, number, number];
    for (const b of second) {
      const [dx, dy, dz] = [nearest(x - b.at[0]!), nearest(y - b.at[1]!), nearest(z - b.at[2]!)];
      const r = Math.sqrt(dx * dx + dy * dy + dz * dz);
      if (a !== b && r < D_MAX) sum += switching(r);
    }
  }
  return pair[0] === pair[1] ? sum / 2 : sum;
}

describe.each(Object.entries(changes))('where particles %s', (_, change) => {
  it.each(Object.entries(places))('%s counts those of the moment', async (place, bias) => {
    // With fewer particles all pairs are looked at, with more neighbor lists.
    for (const repeat of place === 'a bias' ? [4] : [4, 7])
      for (const [group, pair] of Object.entries(groups)) {
        await using context = await createExecutionContext({ backend: 'cpu', threads: 1 });
        const wanted = ['number.csv', 'frames.xyz'];
        const { texts } = await runText(text(change, repeat, group, bias), context, { wanted });
        const numbers = texts[0]!
          .trim()
          .split('\n')
          .slice(1)
          .map((row) => Number(row.split(',')[2]));
        const frames = framesOf(texts[1]!);
        expect(numbers).toHaveLength(13);
        for (const [k, frame] of frames.entries())
          expect(numbers[k]! / numberOf(frame, pair), `${group}, step ${k}`).toBeCloseTo(1, 9);
      }
  });
});

const others = `  - coordination: { group_a: B, switch: { r_0: 1.3, d_max: 2.4 }, harmonic_bias: { at: 9, kappa: 0 }, file: other.csv, every: 4 }
dump_data: [coordination: { group_a: { first: 7, last: 30 }, switch: { r_0: 1.3, d_max: 2 }, file: third.csv, every: 3 }]
`;
/** What asks for shares of the bias after another number has been evaluated. */
const after = `dump_data: [coordination: { group_a: { first: 7, last: 30 }, switch: { r_0: 1.3, d_max: 2 }, file: third.csv, every: 3 }]
simulation_epilog: [write_extended_xyz: { file: last.xyz, fields: [pos, energy] }]
`;

it.each(['cpu', 'webgpu'] as const)(
  'biased numbers of some particles are what they are without other numbers beside them, on %s',
  async (backend) => {
    await using ctx = await createExecutionContext({ backend, threads: 1 });
    const runOf = (more: string) =>
      runText(
        `
configuration: { units: lj, seed: 3 }
global: { dt: 0.004, rcut_inc: 0.3, end_iteration: 12, thermo_frequency: 4 }
particle_types: { A: { mass: 1 }, B: { mass: 2 } }
setup_system:
  - lattice: { structure: fcc, density: 0.8442, repeat: [4, 4, 4], types: [A, A, B, A] }
  - init_temperature: { temperature: 1.44 }
simulation: molecular_dynamics
compute_force:
  - lennard_jones_force: { epsilon: 1, sigma: 1, rcut: 2.5 }
  - coordination: { group_a: [3, 37], group_b: { first: 40, last: 200, stride: 5 }, switch: { r_0: 1.3, d_max: 2.4 }, harmonic_bias: { at: 30, kappa: 0.1 }, file: biased.csv, every: 4 }
${more}`,
        ctx,
        { wanted: ['biased.csv'] },
      );
    const numbersOf = ({ texts }: { readonly texts: readonly string[] }) =>
      texts[0]!
        .trim()
        .split('\n')
        .slice(1)
        .map((line) => Number(line.split(',')[2]));
    const [alone, beside] = [await runOf(''), await runOf(others)];
    const known = numbersOf(alone);
    expect(known).toHaveLength(4);
    expect(numbersOf(await runOf(after))).toHaveLength(4);
    for (const [k, number] of numbersOf(beside).entries())
      expect(number / known[k]!).toBeCloseTo(1, 5);
    for (const [k, energy] of beside.table.potential_energy!.entries())
      expect(energy / alone.table.potential_energy![k]!).toBeCloseTo(1, 6);
  },
);
