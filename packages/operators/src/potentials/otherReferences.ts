import type { OperatorReference } from '@corpuscle/core';
import { literature } from '../reference/literature.js';

/** Minifiers take the letter after a backslash for the begin of a number, also in raw text. */
const xi = '\\xi';

/** Potentials that are no functions of one distance alone. */
export const otherPotentials: Readonly<Record<string, OperatorReference>> = {
  dpd_force: {
    theory: String.raw`${'```math\n'}\mathbf F = \left[ A w - \gamma w^2\, (\mathbf e \cdot \mathbf v) + \sqrt{\frac{2\gamma k T}{\Delta t}}\; w\, ${xi} \right] \mathbf e, \qquad w = 1 - \frac{r}{r_c}
${'```'}

e is the unit vector between both particles, v the difference of their velocities. ξ has mean 0 and variance 1; it is a function of the two ids and
the number of the evaluation, so that both draw the same. Friction and noise together hold the temperature (Español and Warren), and act along the line of
each pair: momentum is conserved, and the fluid flows as a fluid does.`,
    literature: [literature.grootWarren, literature.espanolWarren],
    example: `global: { dt: 0.02, end_iteration: 20, thermo_frequency: 10 }
setup_system:
  - lattice: { structure: fcc, density: 3.0, repeat: [5, 5, 5], types: [A] }
  - init_temperature: { temperature: 1.0 }
compute_force:
  - dpd_force: { A: 25.0, gamma: 4.5, rcut: 1.0, temperature: 1.0 }
`,
  },
  stillinger_weber_force: {
    theory: String.raw`${'```math\n'}U = \sum_{i<j} u_2(r_{ij}) + \sum_i \sum_{j<k} u_3(r_{ij}, r_{ik}, \theta_{jik})
${'```'}

${'```math\n'}u_2(r) = A\varepsilon \left[ B \left(\frac{\sigma}{r}\right)^{p} - \left(\frac{\sigma}{r}\right)^{q} \right] \exp\frac{\sigma}{r - a\sigma}
${'```'}

${'```math\n'}u_3 = \lambda\varepsilon \left( \cos\theta - \cos\theta_0 \right)^2 \exp\frac{\gamma\sigma}{r_{ij} - a\sigma}\, \exp\frac{\gamma\sigma}{r_{ik} - a\sigma}
${'```'}

Pairs and triplets end smoothly at aσ. Triplets favor the angle θ₀: with cos θ₀ = −1/3 the tetrahedra of silicon.

Files of several elements may round λ ε of i j k and i k j differently. The mean of both is taken, so that energies do not depend on the order of neighbors.`,
    literature: [literature.stillingerWeber],
    example: `configuration:
  units: { length: angstrom, mass: Dalton, time: picosecond, energy: electronvolt, temperature: kelvin }
  seed: 1
global: { dt: 1 fs, end_iteration: 20, thermo_frequency: 10 }
particle_types:
  Si: { mass: 28.0855 }
setup_system:
  - lattice: { structure: diamond, lattice_constant: 5.431, repeat: [3, 3, 3], types: [Si] }
  - init_temperature: { temperature: 300 K }
compute_force:
  - stillinger_weber_force:
      { epsilon: 2.1683, sigma: 2.0951, a: 1.8, lambda: 21, gamma: 1.2, cos_theta0: -1/3, A: 7.049556277, B: 0.6022245584, p: 4, q: 0 }
`,
  },
  sutton_chen_force: {
    theory: String.raw`${'```math\n'}U = \varepsilon \left[ \sum_{i<j} \left(\frac{a}{r_{ij}}\right)^{n} - c \sum_i \sqrt{\rho_i} \right], \qquad \rho_i = \sum_{j \ne i} \left(\frac{a}{r_{ij}}\right)^{m}
${'```'}

The root of the density makes bonds of an atom weaker the more there are of them, as in a metal.`,
    literature: [literature.suttonChen],
    example: `configuration:
  units: { length: angstrom, mass: Dalton, time: picosecond, energy: electronvolt, temperature: kelvin }
  seed: 1
global: { dt: 1 fs, end_iteration: 20, thermo_frequency: 10 }
particle_types:
  Cu: { mass: 63.546 }
setup_system:
  - lattice: { structure: fcc, lattice_constant: 3.61, repeat: [4, 4, 4], types: [Cu] }
  - init_temperature: { temperature: 300 K }
compute_force:
  - sutton_chen_force: { epsilon: 0.012382, a: 3.61, n: 9, m: 6, c: 39.432, rcut: 7.0 }
`,
  },
  embedded_atom_force: {
    theory: String.raw`${'```math\n'}U = \sum_{i<j} \phi_{ij}(r_{ij}) + \sum_i F_i(\rho_i), \qquad \rho_i = \sum_{j \ne i} \rho_j(r_{ij})
${'```'}

F is the energy of an atom in the electron density ρ that its neighbors make. φ, ρ and F are tables of a file; they are interpolated as LAMMPS does it. Beyond
the last point F goes on straight. The tables of this example are coarse ones of no real metal.`,
    literature: [literature.dawBaskes],
    files: {
      'metal.eam.alloy': `phi = (2.5 - r)^2/r, rho = (1 - r/2.5)^2
F(rho) = -sqrt(rho)
no real metal
1 M
6 0.4 6 0.5 2.5
1 1.0 1.6 fcc
0.0 -0.632456 -0.894427 -1.095445 -1.264911 -1.414214
1.0 0.64 0.36 0.16 0.04 0.0
6.25 4.0 2.25 1.0 0.25 0.0
`,
    },
    example: `particle_types:
  M: { mass: 1.0 }
setup_system:
  - lattice: { structure: fcc, lattice_constant: 1.8, repeat: [4, 4, 4], types: [M] }
  - init_temperature: { temperature: 0.1 }
compute_force:
  - embedded_atom_force: { file: metal.eam.alloy }
`,
  },
  harmonic_bond_force: {
    theory: String.raw`${'```math\n'}u(r) = k\, (r - r_0)^2
${'```'}

k is half of the spring constant, as in bond_style harmonic of LAMMPS. Bonds come from bond_particles, or from a file that has them.`,
    literature: [literature.thompsonLammps],
    example: `setup_system:
  - lattice: { structure: fcc, density: 0.8442, repeat: [4, 4, 4], types: [A] }
  - bond_particles: { bonds: [[0, 1], [2, 3]] }
  - init_temperature: { temperature: 0.5 }
compute_force:
  - lennard_jones_force: { epsilon: 1.0, sigma: 1.0, rcut: 2.5 }
  - harmonic_bond_force: { k: 50.0, r0: 1.12, rcut: 2.5 }
`,
  },
};
