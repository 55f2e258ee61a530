/** A simulation that runs on ranks as on one process. */
interface RankCase {
  readonly text: string;
  /** A file that it reads. */
  readonly particles?: { readonly file: string; readonly text: string };
}

interface Parts {
  readonly setup: string;
  readonly forces: string;
  readonly types?: string;
  readonly dt?: number;
  readonly scheme?: string;
}

const document = ({ setup, forces, types = 'A: { mass: 1 }', dt = 0.005, scheme }: Parts) => `
configuration: { units: lj, seed: 4711 }
global: { dt: ${dt}, rcut_inc: 0.3, end_iteration: 100, thermo_frequency: 20 }
particle_types: { ${types} }
setup_system:
${setup}
compute_force:
${forces}
${scheme ? `numerical_scheme: ${scheme}\nthermo: { conserved: true }\n` : ''}simulation: molecular_dynamics
`;

const warm = '  - init_temperature: { temperature: 1.44 }';
const lennardJones = '  - lennard_jones_force: { epsilon: 1, sigma: 1, rcut: 2.5 }';
const crystal = (repeat: string, types = '[A]') =>
  `  - lattice: { structure: fcc, density: 0.8442, repeat: ${repeat}, types: ${types} }`;

/** An extended xyz file of a warm cubic crystal in a cell of one's own. */
function crystalFile(cell: readonly number[], pbc: string, places: readonly (readonly number[])[]) {
  const lines = places.map((at) => `A ${at.map((x) => x.toPrecision(17)).join(' ')}`);
  const head = `Lattice="${cell.join(' ')}" pbc="${pbc}" Properties=species:S:1:pos:R:3`;
  return `${[places.length, head, ...lines].join('\n')}\n`;
}

/** Points of a skewed lattice, n of them along each vector. */
function points(cell: readonly number[], n: number, offset = 0.5): number[][] {
  const all: number[][] = [];
  for (let c = 0; c < n; c++)
    for (let b = 0; b < n; b++)
      for (let a = 0; a < n; a++) {
        const s = [a, b, c].map((k) => (k + offset) / n);
        all.push(
          [0, 1, 2].map((k) => s[0]! * cell[k]! + s[1]! * cell[k + 3]! + s[2]! * cell[k + 6]!),
        );
      }
  return all;
}

const skewed = [9, 0, 0, 2.5, 8.5, 0, -1.5, 2, 9.5];
/** Points of a ball, well within a large box, and a small one beside it. */
const drop = points([24, 0, 0, 0, 24, 0, 0, 0, 24], 20).filter(
  ([x, y, z]) =>
    Math.hypot(x! - 9, y! - 9, z! - 9) < 6 || Math.hypot(x! - 18, y! - 17, z! - 16) < 2,
);

const melt = document({ setup: `${crystal('[5, 5, 5]')}\n${warm}`, forces: lennardJones });

export const rankCases: Readonly<Record<string, RankCase>> = {
  'a melt': { text: melt },
  'a melt with a trajectory': {
    text: `${melt}dump_data: [{ write_extended_xyz: { file: frames.xyz, fields: [pos, velo, id, forces, energy], frequency: 40 } }]\n`,
  },
  'a mixture': {
    text: document({
      setup: `${crystal('[5, 4, 5]', '[A, B, B, A]')}\n${warm}`,
      types: 'A: { mass: 1 }, B: { mass: 1.7 }',
      forces:
        '  - lennard_jones_force: { mixing: lorentz_berthelot, pairs: [{ types: [A, A], epsilon: 1, sigma: 1, rcut: 2.5 }, { types: [B, B], epsilon: 0.7, sigma: 0.9, rcut: 2.2 }] }',
    }),
  },
  'a skewed box': {
    text: document({
      setup: `  - read_extended_xyz: { file: skewed.xyz }\n${warm}`,
      forces: lennardJones,
    }),
    particles: { file: 'skewed.xyz', text: crystalFile(skewed, 'T T T', points(skewed, 8)) },
  },
  'an open box': {
    text: document({
      setup: `  - read_extended_xyz: { file: open.xyz }\n${warm}`,
      forces: lennardJones,
    }),
    particles: {
      file: 'open.xyz',
      text: crystalFile([24, 0, 0, 0, 24, 0, 0, 0, 24], 'F F F', drop),
    },
  },
  'a box with one open side': {
    text: document({
      setup: `  - read_extended_xyz: { file: slab.xyz }\n${warm}`,
      forces: lennardJones,
    }),
    particles: {
      file: 'slab.xyz',
      text: crystalFile(
        [9, 0, 0, 0, 9, 0, 0, 0, 9],
        'T T F',
        points([9, 0, 0, 0, 9, 0, 0, 0, 9], 8),
      ),
    },
  },
  'a box thinner than the cutoff': {
    text: document({
      setup: `${crystal('[8, 1, 1]')}\n${warm}`,
      forces: lennardJones,
    }),
  },
  'a mixture of charges': {
    text: document({
      setup: `${crystal('[4, 4, 4]', '[A, B, A, B]')}\n${warm}`,
      types: 'A: { mass: 1, charge: 0.5 }, B: { mass: 1.7, charge: -0.5 }',
      forces: `${lennardJones}\n  - coulomb_dsf_force: { alpha: 0.3, rcut: 3 }`,
    }),
  },
  'a metal': {
    text: document({
      setup: `${crystal('[5, 5, 4]')}\n  - init_temperature: { temperature: 0.1 }`,
      forces: '  - sutton_chen_force: { epsilon: 1, a: 1.7, c: 30, n: 9, m: 6, rcut: 3.2 }',
      dt: 0.002,
    }),
  },
  ...Object.fromEntries(
    [
      '{ langevin: { temperature: 1.2, friction: 2 } }',
      '{ nose_hoover: { temperature: 1.2, tau: 0.3 } }',
      '{ bussi: { temperature: [1.2, 0.9], tau: 0.3 } }',
    ].map((scheme) => [
      scheme,
      {
        text: document({ setup: `${crystal('[5, 4, 4]')}\n${warm}`, forces: lennardJones, scheme }),
      },
    ]),
  ),
};
