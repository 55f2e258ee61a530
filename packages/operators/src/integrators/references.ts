import type { OperatorReference } from '@corpuscle/core';
import { literature } from '../reference/literature.js';

/** Minifiers take the letter after a backslash for the begin of a number, also in raw text. */
const xi = '\\xi';

const math = (formula: string, words: string): string =>
  `\`\`\`math\n${formula}\n\`\`\`\n\n${words}`;

/** What makes a step: integrators, thermostats, barostats. */
export const integratorReferences: Readonly<Record<string, OperatorReference>> = {
  velocity_verlet: {
    theory: math(
      String.raw`\mathbf v \leftarrow \mathbf v + \frac{\Delta t}{2} \frac{\mathbf f}{m}, \qquad \mathbf r \leftarrow \mathbf r + \Delta t\, \mathbf v, \qquad \mathbf f = \mathbf f(\mathbf r), \qquad \mathbf v \leftarrow \mathbf v + \frac{\Delta t}{2} \frac{\mathbf f}{m}`,
      'The error of energies is of second order in Δt and does not drift, since a shadow Hamiltonian is conserved. The ensemble is NVE.',
    ),
    literature: [literature.swope, literature.verlet],
    example: 'numerical_scheme: velocity_verlet\n',
  },
  velocity_verlet_limit: {
    theory:
      'Velocity Verlet, but after each half kick a velocity above limit/Δt is shortened to it. Energy and momentum are not conserved.',
    literature: [literature.swope],
    example: 'numerical_scheme: { velocity_verlet_limit: { limit: 0.05 } }\n',
  },
  velocity_verlet_adaptive: {
    theory: math(
      String.raw`\Delta t = \min_i \min\!\left( \frac{d}{|\mathbf v_i|}, \sqrt{\frac{2\, d\, m_i}{|\mathbf f_i|}} \right)`,
      'd is max_displacement. The step is shorter where velocity and force together carry a particle farther, and stays between min_dt and max_dt. The step changes, so that the method is not symplectic.',
    ),
    literature: [literature.swope, literature.thompsonLammps],
    example:
      'numerical_scheme: { velocity_verlet_adaptive: { max_displacement: 0.02, min_dt: 1e-5, every: 5 } }\n',
  },
  respa: {
    theory: math(
      String.raw`e^{\frac{\Delta t}{2} K_{\mathrm{slow}}} \left[ e^{\frac{\delta t}{2} K_{\mathrm{fast}}}\, e^{\delta t D}\, e^{\frac{\delta t}{2} K_{\mathrm{fast}}} \right]^{n} e^{\frac{\Delta t}{2} K_{\mathrm{slow}}}, \qquad \delta t = \Delta t / n`,
      'K kicks by the forces of a level, D drifts. Levels are nested in the same way. The outer step has to stay below half a period of the fastest motion: resonance grows there.',
    ),
    literature: [literature.tuckermanRespa],
    example: `setup_system:
  - lattice: { structure: fcc, density: 0.8442, repeat: [4, 4, 4], types: [A] }
  - bond_particles: { bonds: [[0, 1], [2, 3]] }
  - init_temperature: { temperature: 0.5 }
bonded: [harmonic_bond_force: { k: 200, r0: 1.1, rcut: 2.5 }]
pairs: [lennard_jones_force: { epsilon: 1.0, sigma: 1.0, rcut: 2.5 }]
compute_force: [bonded, pairs]
numerical_scheme:
  respa:
    levels:
      - { forces: bonded, steps: 4 }
      - { forces: pairs }
`,
  },
  prescribed_motion: {
    theory: math(
      String.raw`\mathbf r(t) = \mathbf r(0) + t\, \mathbf u + \mathbf A \sin\frac{2\pi t}{T}`,
      'Places are a function of time, not a sum of steps, so that nothing drifts. A rotation turns the first place about an axis by 2πt/T.',
    ),
    example: `setup_system:
  - lattice: { structure: fcc, density: 0.8442, repeat: [4, 4, 4], types: [A] }
  - init_temperature: { temperature: 0.7 }
  - group: { name: slab, region: { plane: { point: [0, 0, 1.5], normal: [0, 0, -1] } } }
  - group: { name: rest, subtract: [all, slab] }
numerical_scheme:
  - velocity_verlet: { group: rest }
  - prescribed_motion: { group: slab, velocity: [0.5, 0, 0] }
`,
  },
  langevin: {
    theory: `${math(
      String.raw`\mathrm d\mathbf v = \frac{\mathbf f}{m}\, \mathrm dt - \gamma\, \mathbf v\, \mathrm dt + \sqrt{\frac{2\gamma k T}{m}}\; \mathrm d\mathbf W`,
      'A step is half a kick (B), half a drift (A), friction and noise (O), half a drift, and half a kick:',
    )}\n\n${math(
      String.raw`\mathrm{O:}\quad \mathbf v \leftarrow c\, \mathbf v + \sqrt{(1 - c^2)\frac{kT}{m}}\; \boldsymbol${xi}, \qquad c = e^{-\gamma \Delta t}`,
      'This order makes the distribution of positions right to a higher order than others do. Random numbers depend on seed, particle and step alone.',
    )}`,
    literature: [literature.leimkuhlerMatthews, literature.salmon],
    example: 'numerical_scheme: { langevin: { temperature: 1.44, friction: 1.0 } }\n',
  },
  brownian: {
    theory: math(
      String.raw`\mathbf r \leftarrow \mathbf r + \frac{\Delta t}{m\gamma}\, \mathbf f + \sqrt{\frac{k T\, \Delta t}{2 m\gamma}}\; (\boldsymbol${xi}_n + \boldsymbol${xi}_{n+1})`,
      'Motion without inertia. Each noise is shared by two steps: positions are distributed right to second order, and exactly in a harmonic well. A free particle diffuses with D = kT/(mγ).',
    ),
    literature: [literature.leimkuhlerMatthews, literature.einstein],
    example: `global: { dt: 0.0001, end_iteration: 20, thermo_frequency: 10 }
numerical_scheme: { brownian: { temperature: 1.0, friction: 10.0 } }
`,
  },
  bussi: {
    theory: math(
      String.raw`\alpha^2 = c + \frac{(1 - c)\, \bar K}{N_f K} \left( R_1^2 + \sum_{i=2}^{N_f} R_i^2 \right) + 2 R_1 \sqrt{\frac{c\,(1 - c)\, \bar K}{N_f K}}, \qquad c = e^{-\Delta t/\tau}, \quad \bar K = \frac{N_f}{2} k T`,
      'All velocities are multiplied by α after the step. R are normal numbers; the sum of squares is drawn at once, as a number of the gamma distribution. The kinetic energy K gets the canonical distribution, and directions of velocities stay, so that dynamics are changed little.',
    ),
    literature: [literature.bussi],
    example: 'numerical_scheme: { bussi: { temperature: 1.44, tau: 0.5 } }\n',
  },
  nose_hoover: {
    theory: `${math(
      String.raw`\dot{\mathbf v}_i = \frac{\mathbf f_i}{m_i} - \dot\eta_1 \mathbf v_i, \qquad Q_1 \ddot\eta_1 = \sum_i m_i v_i^2 - N_f k T - Q_1 \dot\eta_1 \dot\eta_2, \qquad Q_1 = N_f k T \tau^2`,
      'Each further link of the chain controls the one before it, with Q = kT τ². What is conserved is the energy of particles and chain: thermo with conserved: true writes it.',
    )}\n\n${math(
      String.raw`\dot{\mathbf r}_i = \mathbf v_i + \omega\, \mathbf r_i, \qquad \dot{\mathbf v}_i = \frac{\mathbf f_i}{m_i} - \left( \omega + \frac{\operatorname{tr} \omega}{N_f} \right) \mathbf v_i - \dot\eta_1 \mathbf v_i, \qquad W \dot\omega = V (P - P_0) + \frac{1}{N_f} \sum_i m_i v_i^2`,
      'With a pressure these are the equations of Martyna, Tobias and Klein, here for a box that only scales (W ω̇ without the chain of the box); W = (N + 1) kT τ_p². The splitting is that of fix nvt, nph and npt of LAMMPS.',
    )}`,
    literature: [
      literature.nose,
      literature.hoover,
      literature.martynaChains,
      literature.martynaTobiasKlein,
      literature.martynaExplicit,
    ],
    example: `numerical_scheme:
  nose_hoover: { temperature: 1.44, tau: 0.5, pressure: 1.0, tau_pressure: 2.0 }
`,
  },
  andersen: {
    theory: math(
      String.raw`p = 1 - e^{-\nu \Delta t}`,
      'With this probability a particle gets a new velocity of the Maxwell distribution after the step; ν is the slot rate. Canonical, but dynamics are not true: do not measure diffusion with it.',
    ),
    literature: [literature.andersen],
    example: 'numerical_scheme: { andersen: { temperature: 1.44, rate: 1.0 } }\n',
  },
  berendsen: {
    theory: `${math(
      String.raw`\lambda^2 = 1 + \frac{\Delta t}{\tau} \left( \frac{T_0}{T} - 1 \right)`,
      'Velocities are multiplied by λ after the step. With a pressure lengths of the box are multiplied by',
    )}\n\n${math(
      String.raw`\mu = \left[ 1 - \frac{\beta\, \Delta t}{\tau_p} \left( P_0 - P \right) \right]^{1/3}`,
      'β is the compressibility. Temperature and pressure approach those of the bath exponentially. The ensemble is none of the usual ones: use it to equilibrate.',
    )}`,
    literature: [literature.berendsen],
    example: `numerical_scheme:
  berendsen: { temperature: 1.44, tau: 0.5, pressure: 1.0, tau_pressure: 2.0, compressibility: 0.1 }
`,
  },
  rescale: {
    theory: math(
      String.raw`T \leftarrow T - \mathit{fraction} \cdot (T - T_0) \qquad \text{where } |T - T_0| > \mathit{window}`,
      'Velocities are multiplied by one factor. The ensemble is none of the usual ones: use it to equilibrate.',
    ),
    literature: [literature.allenTildesley],
    example: 'numerical_scheme: { rescale: { temperature: 1.44, frequency: 5, window: 0.05 } }\n',
  },
  cell_rescale: {
    theory: math(
      String.raw`\mathrm d\lambda = -\frac{\beta\lambda}{2\tau} \left( P_0 - P - \frac{k T}{2V} \right) \mathrm dt + \sqrt{\frac{k T \beta}{2\tau}}\; \mathrm dW, \qquad \lambda = \sqrt V`,
      'The volume approaches that of the pressure P0 as with Berendsen, and has the fluctuations of constant pressure. Where the total momentum is zero, P lacks the kT/V of the center of mass, which is added. Velocities are divided by the factor of the lengths. A thermostat of the same temperature is needed.',
    ),
    literature: [literature.bernettiBussi],
    example: `numerical_scheme:
  - bussi: { temperature: 1.44, tau: 0.5 }
  - cell_rescale: { temperature: 1.44, pressure: 1.0, tau: 2.0, compressibility: 0.1 }
`,
  },
  deform: {
    theory: math(
      String.raw`L(t) = L_0\, (1 + \dot\epsilon\, t) \quad\text{or}\quad L_0\, e^{\dot\epsilon t}, \qquad \mathit{xy}(t) = \mathit{xy}_0 + \dot\gamma\, t\, L_{y0}`,
      'The box is a function of time. Lattice vectors that lean by more than 0.6 of a length are exchanged for others of the same lattice, so that shear goes on without end. With sllod the equations of motion are those of SLLOD: from one box H to the next, in after_drift, r ← r M + dt v and v ← v M⁻¹ with M = H⁻¹ H′.',
    ),
    literature: [literature.allenTildesley, literature.evansMorriss],
    example: `numerical_scheme:
  - velocity_verlet
  - deform: { rate: { xy: 0.1 }, remap: velocities }
`,
  },
  remove_momentum: {
    theory:
      'The velocity of the center of mass is subtracted from all. With angular: true the rotation about it goes too: ω = I⁻¹ L, with the angular momentum L and the tensor of inertia I.',
    example: 'dump_data:\n  - remove_momentum: { frequency: 10 }\n',
  },
  minimize: {
    theory: `FIRE lets particles move by their forces, turns velocities toward the forces, and stops where the power is negative:\n\n${math(
      String.raw`\mathbf v \leftarrow (1 - \alpha)\, \mathbf v + \alpha\, |\mathbf v|\, \mathbf f / |\mathbf f|`,
      'Conjugate gradients follow a search direction to the least energy along it, then mix it with the new forces:',
    )}\n\n${math(
      String.raw`\mathbf h \leftarrow \mathbf f + \max(0, \beta)\, \mathbf h, \qquad \beta = \frac{\mathbf f \cdot (\mathbf f - \mathbf f_{\mathrm{before}})}{\mathbf f_{\mathrm{before}} \cdot \mathbf f_{\mathrm{before}}}`,
      'Steepest descent has β = 0. With a pressure the box is strained in turns with the particles, to the least enthalpy E + PV.',
    )}`,
    literature: [literature.bitzek, literature.guenole],
    example: `setup_system:
  - lattice: { structure: fcc, density: 0.8442, repeat: [4, 4, 4], types: [A] }
  - displace_particles: { random: [0.1, 0.1, 0.1] }
simulation:
  - setup_system
  - minimize: { style: fire, force_tolerance: 1e-3, max_steps: 500 }
`,
  },
};
