/** A small liquid of two types with charges, and what acts on it from outside: for Corpuscle and for LAMMPS. */

/** Edge along x and y, and where the upper of two walls is. */
export const EDGE = 5.129927840030045;
const HEIGHT = 7.2;
export const STEPS = 100;
export const DT = 0.005;

export interface Particle {
  readonly id: number;
  /** 1 or 2. */
  readonly type: number;
  readonly charge: number;
  readonly position: readonly [number, number, number];
  readonly velocity: readonly [number, number, number];
}

const basis = [
  [0, 0, 0],
  [0.5, 0.5, 0],
  [0.5, 0, 0.5],
  [0, 0.5, 0.5],
] as const;

/** 108 particles, a disturbed crystal 1 above the floor of the box. */
export const particles: readonly Particle[] = Array.from({ length: 108 }, (_, k): Particle => {
  const cell = Math.floor(k / 4);
  const [x, y, z] = [cell % 3, Math.floor(cell / 3) % 3, Math.floor(cell / 9)];
  const site = basis[k % 4]!;
  const by = (n: number) => Math.sin(12.9898 * (3 * k + n + 1) ** 2);
  const at = [x, y, z].map((c, n) => ((c + site[n]!) * EDGE) / 3 + 0.04 * by(n) + 0.2);
  return {
    id: k + 1,
    type: k % 3 === 0 ? 2 : 1,
    charge: k % 3 === 0 ? -1 : 0.5,
    position: [at[0]!, at[1]!, at[2]! + 0.8],
    velocity: [by(7.3), by(11.9), by(17.1)],
  };
});

export interface ExternalCase {
  readonly name: string;
  /** Whether the box repeats along x and y. */
  readonly periodic: boolean;
  /** Lines of the YAML file: groups, forces after those of the pairs, walls that reflect. */
  readonly setup?: readonly string[];
  readonly forces?: readonly string[];
  readonly drift?: readonly string[];
  readonly commands: readonly string[];
  /** An atom-style formula of LAMMPS of the energy, where a fix has it only at the first step (wall/region of 2021). */
  readonly energy?: string;
}

const some = 'group: { name: some, ids: { first: 10, last: 60 } }';
const someLammps = 'group some id 10:60';
const energy = (...fixes: string[]) => fixes.map((fix) => `fix_modify ${fix} energy yes`);
const planes = (numbers: string) =>
  [`point: [0, 0, 0], normal: [0, 0, 1]`, `point: [0, 0, ${HEIGHT}], normal: [0, 0, -1]`].map(
    (plane) => `wall: { plane: { ${plane} }, ${numbers} }`,
  );
const center = [2.4, 2.5, 3.3];

export const externalCases: readonly ExternalCase[] = [
  {
    name: 'walls lj93',
    periodic: true,
    forces: planes('form: lj93, epsilon: 1.2, sigma: 0.9, rcut: 2.5'),
    commands: [`fix w all wall/lj93 zlo 0.0 1.2 0.9 2.5 zhi ${HEIGHT} 1.2 0.9 2.5`, ...energy('w')],
  },
  {
    name: 'walls lj126',
    periodic: true,
    forces: planes('form: lj126, epsilon: 0.8, sigma: 1.1, rcut: 2'),
    commands: [
      `fix w all wall/lj126 zlo 0.0 0.8 1.1 2.0 zhi ${HEIGHT} 0.8 1.1 2.0`,
      ...energy('w'),
    ],
  },
  {
    name: 'walls harmonic on a group',
    periodic: true,
    setup: [some],
    forces: planes('form: harmonic, stiffness: 5, rcut: 2, group: some'),
    commands: [
      someLammps,
      `fix w some wall/harmonic zlo 0.0 5.0 0.0 2.0 zhi ${HEIGHT} 5.0 0.0 2.0`,
      ...energy('w'),
    ],
  },
  {
    name: 'moving wall lj126',
    periodic: true,
    forces: [
      'wall: { form: lj126, plane: { point: [0, 0, -0.3], normal: [0, 0, 1] }, velocity: [0, 0, 0.5], epsilon: 1, sigma: 1, rcut: 2.5 }',
    ],
    commands: [
      'variable at equal vdisplace(-0.3,0.5)',
      'fix w all wall/lj126 zlo v_at 1.0 1.0 2.5',
      ...energy('w'),
    ],
  },
  {
    name: 'swinging wall lj93',
    periodic: true,
    forces: [
      'wall: { form: lj93, plane: { point: [0, 0, 0], normal: [0, 0, 1] }, wiggle: { amplitude: [0, 0, 0.2], period: 0.4 }, epsilon: 1, sigma: 1, rcut: 2.5 }',
    ],
    commands: [
      'variable at equal swiggle(0.0,0.2,0.4)',
      'fix w all wall/lj93 zlo v_at 1.0 1.0 2.5',
      ...energy('w'),
    ],
  },
  {
    name: 'sphere lj93 around',
    periodic: false,
    forces: [
      `wall: { form: lj93, sphere: { center: [${center}], radius: 6 }, epsilon: 1.5, sigma: 1, rcut: 3 }`,
    ],
    commands: [
      `region r sphere ${center.join(' ')} 6.0 side in`,
      'fix w all wall/region r lj93 1.5 1.0 3.0',
      `variable d atom 6.0-sqrt((x-${center[0]})^2+(y-${center[1]})^2+(z-${center[2]})^2)`,
    ],
    energy: '(v_d<3.0)*1.5*((2/15)*(v_d^-9-3.0^-9)-(v_d^-3-3.0^-3))',
  },
  {
    name: 'cylinder harmonic around',
    periodic: false,
    forces: [
      `wall: { form: harmonic, cylinder: { point: [${center}], axis: [0, 0, 1], radius: 4.5 }, stiffness: 4, rcut: 2 }`,
    ],
    commands: [
      `region r cylinder z ${center[0]} ${center[1]} 4.5 INF INF side in`,
      'fix w all wall/region r harmonic 4.0 0.0 2.0',
      `variable d atom 4.5-sqrt((x-${center[0]})^2+(y-${center[1]})^2)`,
    ],
    energy: '(v_d<2.0)*4.0*(2.0-v_d)^2',
  },
  {
    name: 'cylinder lj126 between',
    periodic: false,
    forces: [
      'wall: { form: lj126, cylinder: { point: [-1.5, -1.5, 0], axis: [0, 0, 3], radius: 1, side: outside }, epsilon: 1, sigma: 1, rcut: 2.5 }',
    ],
    commands: [
      'region r cylinder z -1.5 -1.5 1.0 INF INF side out',
      'fix w all wall/region r lj126 1.0 1.0 2.5',
      'variable d atom sqrt((x+1.5)^2+(y+1.5)^2)-1.0',
    ],
    energy: '(v_d<2.5)*4.0*(v_d^-12-2.5^-12-v_d^-6+2.5^-6)',
  },
  {
    name: 'walls that reflect',
    periodic: true,
    drift: [
      'reflect: { plane: { point: [0, 0, 0.95], normal: [0, 0, 1] } }',
      'reflect: { plane: { point: [0, 0, 5.3], normal: [0, 0, -1] } }',
    ],
    commands: ['fix w all wall/reflect zlo 0.95 zhi 5.3'],
  },
  {
    name: 'spring of a center of mass',
    periodic: false,
    setup: [some],
    forces: ['spring: { point: [2, 2, 3], k: 50, r0: 0.5, group: some }'],
    commands: [someLammps, 'fix s some spring tether 50.0 2.0 2.0 3.0 0.5', ...energy('s')],
  },
  {
    name: 'springs to where particles were',
    periodic: true,
    forces: ['spring_self: { k: 10, axes: xy }', 'spring_self: { k: 3, axes: z }'],
    commands: ['fix a all spring/self 10.0 xy', 'fix b all spring/self 3.0 z', ...energy('a', 'b')],
  },
  {
    name: 'spring of a center of mass across faces',
    periodic: true,
    setup: [some],
    forces: ['spring: { point: [4, 1, 3], k: 200, axes: xz, group: some }'],
    commands: [someLammps, 'fix s some spring tether 200.0 4.0 NULL 3.0 0.0', ...energy('s')],
  },
  {
    name: 'springs to where particles were, more than half a box away',
    periodic: true,
    forces: ['spring_self: { k: 10, axes: xy }', 'add_force: { force: [45, 0, 0] }'],
    commands: ['fix a all spring/self 10.0 xy', 'fix f all addforce 45.0 0.0 0.0', ...energy('a')],
  },
  {
    name: 'springs to a point',
    periodic: false,
    forces: ['harmonic_force: { point: [1, 2, 3], k: 2 }'],
    commands: [
      'variable fx atom -2*(x-1)',
      'variable fy atom -2*(y-2)',
      'variable fz atom -2*(z-3)',
      'variable e atom (x-1)^2+(y-2)^2+(z-3)^2',
      'fix a all addforce v_fx v_fy v_fz energy v_e',
      ...energy('a'),
    ],
  },
  {
    name: 'forces set on a group',
    periodic: true,
    setup: ['group: { name: few, ids: [10, 31, 77] }'],
    forces: ['set_force: { x: 0, z: 0.5, group: few }'],
    commands: ['group few id 10 31 77', 'fix s few setforce 0.0 NULL 0.5'],
  },
  {
    name: 'frozen particles',
    periodic: true,
    setup: [some],
    forces: ['freeze: { group: some }'],
    commands: [someLammps, 'velocity some set 0.0 0.0 0.0', 'fix s some setforce 0.0 0.0 0.0'],
  },
  {
    name: 'electric field, gravity and a force on a group',
    periodic: true,
    setup: [some],
    forces: [
      'efield: { field: [0, 0, 0.7] }',
      'gravity: { acceleration: [0, 0, -0.3] }',
      'add_force: { force: [0, 0, 0.25], group: some }',
    ],
    commands: [
      someLammps,
      'fix e all efield 0.0 0.0 0.7',
      'fix g all gravity 0.3 vector 0 0 -1',
      'fix a some addforce 0.0 0.0 0.25',
      ...energy('e', 'g', 'a'),
    ],
  },
  {
    name: 'electric field along the box',
    periodic: true,
    forces: ['efield: { field: [0.4, -0.2, 0] }'],
    commands: ['fix e all efield 0.4 -0.2 0.0'],
  },
];

/** What a run leaves: rows of step, potential and kinetic energy, and positions by id, inside the box. */
export interface ExternalRun {
  readonly rows: readonly (readonly [number, number, number])[];
  readonly positions: readonly number[];
}
