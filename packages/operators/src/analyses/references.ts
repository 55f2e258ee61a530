import type { OperatorReference } from '@corpuscle/core';
import { literature } from '../reference/literature.js';

const math = (formula: string, words: string): string =>
  `\`\`\`math\n${formula}\n\`\`\`\n\n${words}`;

const stretched = 'The switching function falls from 1 to 0, for instance';
const rational = String.raw`s(r) = \frac{1 - x^{n}}{1 - x^{m}}, \qquad x = \frac{r - d_0}{r_0}`;

/** Structure: what is around a particle. */
const structure: Readonly<Record<string, OperatorReference>> = {
  radial_distribution: {
    theory: math(
      String.raw`g_{ab}(r) = \frac{V}{N_a\, (N_b - \delta_{ab})}\, \frac{\left\langle n_{ab}(r, \Delta r) \right\rangle}{\tfrac{4}{3}\pi \left[ (r + \Delta r)^3 - r^3 \right]}`,
      'n counts ordered pairs of types a and b in the bin from r to r + Δr. Beyond half the box all images of a pair count. The running coordination number is the mean number of b within r around an a.',
    ),
    literature: [literature.allenTildesley, literature.rahman],
    example:
      'dump_data:\n  - radial_distribution: { r_max: 3.0, bins: 60, every: 5, file: rdf.csv, plot: rdf.svg }\n',
  },
  structure_factor: {
    theory: math(
      String.raw`S_{ab}(q) = \frac{1}{\sqrt{N_a N_b}} \left\langle \operatorname{Re}\, \rho_a(\mathbf q)\, \rho_b^*(\mathbf q) \right\rangle, \qquad \rho_a(\mathbf q) = \sum_{i \in a} e^{i \mathbf q \cdot \mathbf r_i}`,
      'Wave vectors are those that fit into the periodic box; they are averaged over directions in bins of |q|. The total counts all particles alike.',
    ),
    literature: [literature.ashcroftLangreth],
    example:
      'dump_data:\n  - structure_factor: { every: 10, q_max: 15.0, bins: 50, file: sq.csv, plot: sq.svg }\n',
  },
  coordination: {
    theory: `${math(String.raw`n = \sum_{i \in a} \sum_{j \in b} s(r_{ij})`, stretched)}\n\n${math(
      rational,
      'Derivatives by positions and by the box come with it. Semantics are those of PLUMED; [coordination numbers](../coordination.md) has all switching functions. With harmonic_bias the energy κ/2 (n − at)² acts on the particles.',
    )}`,
    literature: [literature.tribello],
    example:
      'dump_data:\n  - coordination: { group_a: all, switch: { r_0: 1.3, d_max: 2.0 }, file: coordination.csv, every: 5 }\n',
  },
  coordination_histogram: {
    theory: `${math(String.raw`n_i = \sum_{j} s(r_{ij})`, stretched)}\n\n${math(
      rational,
      'The table tells how often n falls into each bin.',
    )}`,
    literature: [literature.tribello],
    example:
      'dump_data:\n  - coordination_histogram: { group_a: all, switch: { r_0: 1.3, d_max: 2.0 }, max: 20, bins: 40, file: cn.csv, every: 10 }\n',
  },
  steinhardt: {
    theory: math(
      String.raw`q_l^2 = \frac{4\pi}{2l + 1} \sum_{m=-l}^{l} \left| \frac{1}{n} \sum_{j=1}^{n} Y_{lm}(\hat{\mathbf r}_{ij}) \right|^2 = \frac{1}{n^2} \sum_{j,k} P_l(\cos\gamma_{jk})`,
      'The sum over m becomes one over angles γ between bonds, by the addition theorem; this form is computed. No axes enter. q4 and q6 tell fcc, hcp and bcc apart.',
    ),
    literature: [literature.steinhardt],
    example: 'dump_data:\n  - steinhardt: { nearest: 12, every: 10, file: q.csv }\n',
  },
  centro_symmetry: {
    theory: math(
      String.raw`P = \sum_{k=1}^{N/2} \left| \mathbf R_k + \mathbf R_{k + N/2} \right|^2`,
      'The N nearest neighbors are paired so that the N/2 smallest of such sums are taken. It is 0 where every neighbor has one opposite to it.',
    ),
    literature: [literature.kelchner],
    example: 'dump_data:\n  - centro_symmetry: { every: 10, cutoff: 2.0, file: defects.csv }\n',
  },
  common_neighbors: {
    theory:
      'Each bond has a signature: how many neighbors its ends have in common, how many bonds there are among these, and the most and the fewest of them at one common neighbor.\n\n| structure | signatures of its bonds |\n|---|---|\n| fcc | 12 × 4211 |\n| hcp | 6 × 4211, 6 × 4220 |\n| bcc | 6 × 4422, 8 × 6622 |\n| icosahedral | 12 × 5522 |',
    literature: [literature.honeycuttAndersen],
    example: 'dump_data:\n  - common_neighbors: { every: 10, cutoff: 1.4, file: structures.csv }\n',
  },
  clusters: {
    theory:
      'Two particles that are closer than the cutoff are in one cluster, and so are those that a chain of such pairs joins. Labels travel from neighbor to neighbor until none changes.',
    literature: [literature.stoddard],
    example: `global: { dt: 0.005, end_iteration: 20, thermo_frequency: 10 }
setup_system:
  - lattice: { structure: fcc, density: 0.1, repeat: [4, 4, 4], types: [A] }
  - init_temperature: { temperature: 1.0 }
dump_data:
  - clusters: { every: 10, cutoff: 1.5, file: clusters.csv }
`,
  },
};

/** Motion and transport. */
const motion: Readonly<Record<string, OperatorReference>> = {
  mean_square_displacement: {
    theory: math(
      String.raw`\left\langle \left| \mathbf r(t) - \mathbf r(0) \right|^2 \right\rangle \to 6 D t`,
      'Positions are unwrapped. D is a sixth of the slope over the second half of the lags; its error is the spread of the three axes.',
    ),
    literature: [literature.einstein, literature.rahman],
    example:
      'dump_data:\n  - mean_square_displacement: { every: 2, origins: 2, file: msd.csv, plot: msd.svg }\n',
  },
  velocity_autocorrelation: {
    theory: math(
      String.raw`C(t) = \left\langle \mathbf v(0) \cdot \mathbf v(t) \right\rangle, \qquad D = \frac{1}{3} \int_0^\infty C(t)\, \mathrm dt`,
      'The integral up to each lag is taken by trapezoids.',
    ),
    literature: [literature.green, literature.kubo, literature.rahman],
    example:
      'dump_data:\n  - velocity_autocorrelation: { every: 1, origins: 2, lags: 10, file: vacf.csv }\n',
  },
  stress_autocorrelation: {
    theory: math(
      String.raw`\eta = \frac{V}{kT} \int_0^\infty \left\langle P_{xy}(0)\, P_{xy}(t) \right\rangle \mathrm dt`,
      'Five independent components of the pressure tensor without its trace are averaged. Run at constant energy, for much longer than correlations last.',
    ),
    literature: [literature.green, literature.kubo, literature.daivisEvans],
    example: 'dump_data:\n  - stress_autocorrelation: { every: 1, lags: 10, file: sacf.csv }\n',
  },
  heat_flux_autocorrelation: {
    theory: math(
      String.raw`\lambda = \frac{V}{3 k T^2} \int_0^\infty \left\langle \mathbf J(0) \cdot \mathbf J(t) \right\rangle \mathrm dt, \qquad V \mathbf J = \sum_i e_i \mathbf v_i + \frac{1}{2} \sum_{i<j} \mathbf r_{ij}\, \left[ \mathbf F_{ij} \cdot (\mathbf v_i + \mathbf v_j) \right]`,
      'e is kinetic energy and half the energy of the pairs of a particle; F is the force on i. The formula is exact for pair forces and one component.',
    ),
    literature: [literature.green, literature.kubo, literature.irvingKirkwood],
    example: 'dump_data:\n  - heat_flux_autocorrelation: { every: 1, lags: 10, file: hacf.csv }\n',
  },
  averages: {
    theory: math(
      String.raw`\delta^2 = \frac{1}{n (n - 1)} \sum_{b=1}^{n} \left( \bar x_b - \bar x \right)^2`,
      'The standard error follows from the means of blocks of steps that follow each other. Blocks become longer as the run goes on, so that correlations within one do not make the error too small.',
    ),
    literature: [literature.flyvbjergPetersen],
    example:
      'dump_data:\n  - averages: { every: 1, columns: [temperature, pressure], file: means.csv }\n',
  },
};

/** Fields in space. */
const fields: Readonly<Record<string, OperatorReference>> = {
  profile: {
    theory: math(
      String.raw`T(z) = \frac{1}{3 N k} \left[ \sum_i m_i v_i^2 - \frac{\left| \sum_i m_i \mathbf v_i \right|^2}{\sum_i m_i} \right]`,
      'The sums are over the N particles of a bin: its temperature is that of the motion relative to its mean velocity. Densities are numbers and masses over the volume of the bin.',
    ),
    literature: [literature.allenTildesley],
    example: 'dump_data:\n  - profile: { every: 5, axis: z, bins: 8, file: profile.csv }\n',
  },
  particle_stress: {
    theory: math(
      String.raw`s_{i,ab} = -m_i v_{i,a} v_{i,b} - W_{i,ab}, \qquad W_{i,ab} = \frac{1}{2} \sum_j r_{ij,a} F_{ij,b}`,
      'Each particle has half of the virial of its pairs, a third of that of its triplets. Tension is positive; −Σ s/V is the pressure tensor.',
    ),
    literature: [literature.thompsonStress],
    example: 'dump_data:\n  - particle_stress: { every: 10, file: stress.csv }\n',
  },
  grid_projection: {
    theory:
      'Space is divided into cells, and these into voxels. Each voxel counts its particles, or has the mean of a field over them.',
    example:
      'dump_data:\n  - grid_projection: { fields: [density, temperature], subdivisions: 2, every: 10, file: map.vti }\n',
  },
  grid_histogram: {
    theory:
      'The distribution of a value over the voxels of a grid, as a probability density: its integral over the bins is the part of the voxels that they hold.',
    literature: [literature.flyvbjergPetersen],
    example:
      'dump_data:\n  - grid_histogram: { every: 5, field: density, low: 0, high: 2, bins: 20, file: densities.csv }\n',
  },
  cc_label: {
    theory:
      'Voxels above the threshold that share a face belong to one component; faces of a periodic box are no border. Labels are found by union and find.',
    literature: [literature.stoddard],
    example:
      'dump_data:\n  - cc_label: { every: 10, field: density, threshold: 0.5, file: components.csv }\n',
  },
};

/** Analyses. */
export const analysisReferences: Readonly<Record<string, OperatorReference>> = {
  ...structure,
  ...motion,
  ...fields,
};
