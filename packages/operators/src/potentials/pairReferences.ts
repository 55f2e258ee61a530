import type { OperatorReference } from '@corpuscle/core';
import { literature } from '../reference/literature.js';

/** What a cutoff does to all pair potentials. */
const cut = `Pairs at rcut and beyond have no force. The slot shift takes a constant off the energy, or a constant off the force too, so that
one or both end at 0; the slot switch brings both to 0 in a window from switch_from to rcut.`;

const pair = (formula: string, words = ''): string =>
  `\`\`\`math\n${formula}\n\`\`\`\n\n${words}${words === '' ? '' : '\n\n'}${cut}`;

/** Charges that alternate along x on a cubic lattice, under a repulsion that keeps them apart. */
const salt = (force: string): string => `particle_types:
  cation: { mass: 1.0, charge: 1.0 }
  anion: { mass: 1.0, charge: -1.0 }
setup_system:
  - lattice: { structure: sc, lattice_constant: 1.2, repeat: [6, 6, 6], types: [cation] }
  - set: { type: anion, region: { ids: { first: 0, last: 215, stride: 2 } } }
  - init_temperature: { temperature: 0.5 }
compute_force:
  - wca_force: { epsilon: 1.0, sigma: 1.0 }
  - ${force}
`;

const coulomb = `with the charges q of both particles and the relative permittivity of the slot dielectric. In units lj the factor 1/(4πε₀) is 1.`;

/** Pair potentials. */
export const pairReferences: Readonly<Record<string, OperatorReference>> = {
  lennard_jones_force: {
    theory: pair(
      String.raw`u(r) = 4\varepsilon \left[ \left(\frac{\sigma}{r}\right)^{12} - \left(\frac{\sigma}{r}\right)^{6} \right]`,
      'ε is the depth of the well, σ the distance where u is 0. The minimum is at 2^(1/6) σ. The sixth power is the dispersion of neutral atoms; the twelfth stands for the repulsion of their shells.',
    ),
    literature: [literature.lennardJones, literature.verlet],
    example: `particle_types:
  A: { mass: 1.0 }
  B: { mass: 2.0 }
setup_system:
  - lattice: { structure: fcc, density: 0.8442, repeat: [4, 4, 4], types: [A, A, A, B] }
  - init_temperature: { temperature: 1.44 }
compute_force:
  - lennard_jones_force:
      mixing: lorentz_berthelot
      pairs:
        - { types: [A, A], epsilon: 1.0, sigma: 1.0, rcut: 2.5 }
        - { types: [B, B], epsilon: 0.5, sigma: 1.1, rcut: 2.5 }
`,
  },
  morse_force: {
    theory: pair(
      String.raw`u(r) = D \left[ e^{-2\alpha (r - r_0)} - 2 e^{-\alpha (r - r_0)} \right]`,
      'The well has the depth D at r0. Near it the potential is harmonic with the spring constant 2 D α².',
    ),
    literature: [literature.morse],
    example: `compute_force:
  - morse_force: { D: 1.0, alpha: 6.0, r0: 1.12, rcut: 2.5 }
`,
  },
  buckingham_force: {
    theory: pair(
      String.raw`u(r) = A\, e^{-r/\rho} - \frac{C}{r^6}`,
      'For r → 0 the dispersion wins and u falls to −∞: particles must not come closer than the maximum.',
    ),
    literature: [literature.buckingham],
    example: `compute_force:
  - buckingham_force: { A: 100000.0, rho: 0.09, C: 4.0, rcut: 2.5 }
`,
  },
  born_force: {
    theory: pair(
      String.raw`u(r) = A\, e^{(\sigma - r)/\rho} - \frac{C}{r^6} + \frac{D}{r^8}`,
      'With C = D = 0 it is the potential of Born and Mayer. The sign of D is that of pair_style born of LAMMPS; Fumi and Tosi write −D.',
    ),
    literature: [literature.bornMayer, literature.fumiTosi],
    example: `compute_force:
  - born_force: { A: 0.857, rho: 0.0863, sigma: 1.122, C: 3.71, D: 0.0, rcut: 2.5 }
`,
  },
  mie_force: {
    theory: pair(
      String.raw`u(r) = \frac{n}{n - m} \left(\frac{n}{m}\right)^{\frac{m}{n - m}} \varepsilon \left[ \left(\frac{\sigma}{r}\right)^{n} - \left(\frac{\sigma}{r}\right)^{m} \right]`,
      'The factor makes ε the depth. n = 12 and m = 6 are Lennard-Jones.',
    ),
    literature: [literature.mie],
    example: `compute_force:
  - mie_force: { epsilon: 1.0, sigma: 1.0, n: 14, m: 6, rcut: 2.5 }
`,
  },
  wca_force: {
    theory: `${'```math\n'}${String.raw`u(r) = 4\varepsilon \left[ \left(\frac{\sigma}{r}\right)^{12} - \left(\frac{\sigma}{r}\right)^{6} \right] + \varepsilon, \qquad r < 2^{1/6}\sigma`}${'\n```\n\n'}The repulsive part of Lennard-Jones. Energy and force are 0 at its end, which is the minimum of Lennard-Jones.`,
    literature: [literature.wca],
    example: `compute_force:
  - wca_force: { epsilon: 1.0, sigma: 1.0 }
`,
  },
  soft_force: {
    theory: `${'```math\n'}${String.raw`u(r) = A \left[ 1 + \cos\frac{\pi r}{r_c} \right]`}${'\n```\n\n'}The energy is 2A at full overlap. Energy and force end at 0 at rcut. It stays finite, and so takes particles apart that overlap at the start.`,
    literature: [literature.thompsonLammps],
    example: `compute_force:
  - soft_force: { A: 10.0, rcut: 1.1 }
`,
  },
  gauss_force: {
    theory: pair(String.raw`u(r) = -A\, e^{-B r^2}`, 'A well for A > 0, a hill for A < 0.'),
    literature: [literature.thompsonLammps],
    example: `compute_force:
  - gauss_force: { A: -4.0, B: 2.0, rcut: 2.5 }
`,
  },
  yukawa_force: {
    theory: pair(
      String.raw`u(r) = \frac{A\, e^{-\kappa r}}{r}`,
      'The interaction of charges that others screen, with the screening length 1/κ. A is the same for all pairs of two types; charges of particles play no part.',
    ),
    literature: [literature.yukawa, literature.debyeHuckel],
    example: `compute_force:
  - yukawa_force: { A: 20.0, kappa: 2.0, rcut: 3.0 }
`,
  },
  zbl_force: {
    theory: String.raw`${'```math\n'}u(r) = \frac{Z Z' e^2}{4\pi\varepsilon_0 r}\, \phi\!\left(\frac{r}{a}\right), \qquad a = \frac{0.4685\ \text{\AA}}{Z^{0.23} + Z'^{0.23}}
${'```'}

${'```math\n'}\phi(x) = 0.18175\, e^{-3.1998 x} + 0.50986\, e^{-0.94229 x} + 0.28022\, e^{-0.4029 x} + 0.02817\, e^{-0.20162 x}
${'```'}

The repulsion of nuclei at small distances, screened by their electrons. The window from switch_from to rcut brings it to 0, so that another
potential can take over.`,
    literature: [literature.zbl],
    example: `configuration:
  units: { length: angstrom, mass: Dalton, time: picosecond, energy: electronvolt, temperature: kelvin }
  seed: 1
global: { dt: 0.1 fs, end_iteration: 20, thermo_frequency: 10 }
particle_types:
  Si: { mass: 28.0855 }
setup_system:
  - lattice: { structure: diamond, lattice_constant: 5.431, repeat: [3, 3, 3], types: [Si] }
  - init_temperature: { temperature: 5000 K }
compute_force:
  - zbl_force: { z_i: 14, z_j: 14, switch_from: 2.0, rcut: 2.8 }
`,
  },
  coulomb_cut_force: {
    theory: pair(
      String.raw`u(r) = \frac{q q'}{4\pi\varepsilon_0 \varepsilon_r\, r}`,
      `${coulomb} Cut off as it is, it is right for few charges in an open box only.`,
    ),
    literature: [literature.allenTildesley],
    example: salt('coulomb_cut_force: { rcut: 3.0, shift: force }'),
  },
  coulomb_debye_force: {
    theory: pair(
      String.raw`u(r) = \frac{q q'}{4\pi\varepsilon_0 \varepsilon_r}\, \frac{e^{-\kappa r}}{r}`,
      `${coulomb} 1/κ is the screening length of an electrolyte that is not simulated.`,
    ),
    literature: [literature.debyeHuckel],
    example: salt('coulomb_debye_force: { kappa: 1.0, rcut: 3.0 }'),
  },
  coulomb_wolf_force: {
    theory: String.raw`${'```math\n'}U = \frac{1}{4\pi\varepsilon_0\varepsilon_r} \left[ \sum_{i<j} q_i q_j \left( \frac{\operatorname{erfc}(\alpha r_{ij})}{r_{ij}} - \frac{\operatorname{erfc}(\alpha r_c)}{r_c} \right) - \left( \frac{\operatorname{erfc}(\alpha r_c)}{2 r_c} + \frac{\alpha}{\sqrt{\pi}} \right) \sum_i q_i^2 \right]
${'```'}

${coulomb} The sphere around each charge is made neutral by charges on its surface, so that the sum converges without a sum over waves. Forces are the
derivative of this energy.`,
    literature: [literature.wolf],
    example: salt('coulomb_wolf_force: { alpha: 0.5, rcut: 3.0 }'),
  },
  coulomb_dsf_force: {
    theory: String.raw`${'```math\n'}u(r) = \frac{q q'}{4\pi\varepsilon_0\varepsilon_r} \left[ v(r) - v(r_c) - v'(r_c)\,(r - r_c) \right], \qquad v(r) = \frac{\operatorname{erfc}(\alpha r)}{r}
${'```'}

${coulomb} It is Wolf's sum with forces that end at 0 too, so that energies are kept. Each charge has an energy by itself in addition.`,
    literature: [literature.fennellGezelter, literature.wolf],
    example: salt('coulomb_dsf_force: { alpha: 0.5, rcut: 3.0 }'),
  },
  reaction_field_force: {
    theory: String.raw`${'```math\n'}u(r) = \frac{q q'}{4\pi\varepsilon_0\varepsilon_r} \left[ \frac{1}{r} + k r^2 - \frac{1}{r_c} - k r_c^2 \right], \qquad k = \frac{e - 1}{(2e + 1)\, r_c^3}
${'```'}

${coulomb} Beyond rcut there is a dielectric, e times as polarizable as what is within: e is epsilon_rf/dielectric. For a conductor, epsilon_rf: 0,
k is 1/(2 r_c³), and forces end at 0.`,
    literature: [literature.barkerWatts],
    example: salt('reaction_field_force: { epsilon_rf: 0, rcut: 3.0 }'),
  },
  tabulated_force: {
    theory:
      'Energies and forces of a file are interpolated at points that are equally spaced in r², so that no root is needed: by cubic splines or by straight lines. A pair that comes closer than the first point of the table ends the run.',
    literature: [literature.thompsonLammps],
    files: {
      'pair.table': `# u(r) = 4 (r^-12 - r^-6)
LJ
N 8

1 0.85 17.50920 398.37550
2 1.00  0.00000  24.00000
3 1.12 -0.99988   0.14846
4 1.30 -0.65701  -2.13353
5 1.60 -0.22420  -0.81429
6 2.00 -0.06152  -0.18164
7 2.40 -0.02082  -0.05192
8 3.00 -0.00548  -0.01096
`,
    },
    example: `compute_force:
  - tabulated_force: { file: pair.table, keyword: LJ, rcut: 2.5, interpolation: spline }
`,
  },
  pair_force: {
    theory:
      'Each entry of pairs names a potential by its operator without _force, and the types that it is for; without types it is for all pairs. Potentials of the same pair add up. Formulas are those of the operators.',
    example: `particle_types:
  A: { mass: 1.0 }
  B: { mass: 2.0 }
setup_system:
  - lattice: { structure: fcc, density: 0.8442, repeat: [4, 4, 4], types: [A, A, A, B] }
  - init_temperature: { temperature: 1.44 }
compute_force:
  - pair_force:
      pairs:
        - { use: lennard_jones, types: [A, A], epsilon: 1.0, sigma: 1.0, rcut: 2.5 }
        - { use: morse, types: [A, B], D: 1.0, alpha: 6.0, r0: 1.12, rcut: 2.5 }
        - { use: wca, types: [B, B], epsilon: 1.0, sigma: 1.0 }
        - { use: yukawa, types: [B, B], A: 2.0, kappa: 2.0, rcut: 2.5 }
`,
  },
};
