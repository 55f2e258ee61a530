import type { OperatorReference } from '@corpuscle/core';
import { literature } from '../reference/literature.js';

/** A slab of particles with vacuum above and below it. */
const slab = `setup_system:
  - domain: { upper: [6.72, 6.72, 16.0], periodic: [true, true, false] }
  - create_particles:
      type: A
      region: { box: { z: [4.0, 11.0] } }
      lattice: { structure: fcc, lattice_constant: 1.68 }
      temperature: 0.7
`;
const pairs = `compute_force:
  - lennard_jones_force: { epsilon: 1.0, sigma: 1.0, rcut: 2.5 }
`;

const math = (formula: string, words: string): string =>
  `\`\`\`math\n${formula}\n\`\`\`\n\n${words}`;

/** Forces from outside, and walls. */
export const externalReferences: Readonly<Record<string, OperatorReference>> = {
  add_force: {
    theory: math(
      String.raw`\mathbf F_i = \mathbf F, \qquad u_i = -\mathbf F \cdot \mathbf r_i`,
      'The energy counts along directions in which the box does not repeat: around a periodic box the force does work.',
    ),
    example: `${pairs}  - add_force: { force: [0.1, 0, 0] }\n`,
  },
  gravity: {
    theory: math(
      String.raw`\mathbf F_i = m_i\, \mathbf g, \qquad u_i = -m_i\, \mathbf g \cdot \mathbf r_i`,
      'The energy counts along directions in which the box does not repeat.',
    ),
    example: `${slab}${pairs}  - gravity: { acceleration: [0, 0, -0.1] }
  - wall: { form: lj93, plane: { point: [0, 0, 0], normal: [0, 0, 1] }, epsilon: 1.0, sigma: 1.0, rcut: 2.5 }
`,
  },
  efield: {
    theory: math(
      String.raw`\mathbf F_i = q_i\, \mathbf E, \qquad u_i = -q_i\, \mathbf E \cdot \mathbf r_i`,
      'The energy counts along directions in which the box does not repeat.',
    ),
    example: `particle_types:
  A: { mass: 1.0, charge: 1.0 }
${pairs}  - efield: { field: [0.2, 0, 0] }
`,
  },
  harmonic_force: {
    theory: math(
      String.raw`u_i = \frac{k}{2} \left( d_i - r_0 \right)^2`,
      'd is the distance to the point along the axes that count, to its nearest periodic image.',
    ),
    example: `${pairs}  - harmonic_force: { point: [3.36, 3.36, 3.36], k: 0.5 }\n`,
  },
  spring_self: {
    theory: math(
      String.raw`u_i = \frac{k}{2} \left| \mathbf r_i - \mathbf r_i(0) \right|^2`,
      'Every particle is bound to the place where it was when the run began, along the axes that count. With all particles this is an Einstein crystal.',
    ),
    literature: [literature.frenkelSmit],
    example: `${pairs}  - spring_self: { k: 10.0 }\n`,
  },
  spring: {
    theory: math(
      String.raw`u = \frac{k}{2} \left( d - r_0 \right)^2, \qquad \mathbf F_i = -\frac{m_i}{M}\, \nabla u`,
      'd is the distance from the center of mass of the group to the point, M the mass of the group.',
    ),
    example: `setup_system:
  - lattice: { structure: fcc, density: 0.8442, repeat: [4, 4, 4], types: [A] }
  - init_temperature: { temperature: 1.44 }
  - group: { name: pulled, ids: { first: 0, last: 3 } }
${pairs}  - spring: { group: pulled, point: [2, 2, 2], k: 5.0 }
`,
  },
  set_force: {
    theory:
      'Components that are given replace the force that operators before have added; others stay. It stands last.',
    example: `setup_system:
  - lattice: { structure: fcc, density: 0.8442, repeat: [4, 4, 4], types: [A] }
  - init_temperature: { temperature: 1.44 }
  - group: { name: layer, region: { box: { z: [0, 1.5] } } }
  - set: { group: layer, fields: { vz: 0 } }
${pairs}  - set_force: { group: layer, z: 0 }
`,
  },
  freeze: {
    theory:
      'Force and velocity are taken away in every step. Other particles feel the forces of frozen ones.',
    example: `setup_system:
  - lattice: { structure: fcc, density: 0.8442, repeat: [4, 4, 4], types: [A] }
  - init_temperature: { temperature: 1.44 }
  - group: { name: bottom, region: { box: { z: [0, 1.5] } } }
${pairs}  - freeze: { group: bottom }
`,
  },
  wall: {
    theory: `${math(
      String.raw`u_{9\text{-}3}(d) = \varepsilon \left[ \frac{2}{15} \left(\frac{\sigma}{d}\right)^{9} - \left(\frac{\sigma}{d}\right)^{3} \right]`,
      'This is the Lennard-Jones potential of a solid that fills the half of space beyond the wall, but for a factor.',
    )}\n\n${math(
      String.raw`u_{12\text{-}6}(d) = 4\varepsilon \left[ \left(\frac{\sigma}{d}\right)^{12} - \left(\frac{\sigma}{d}\right)^{6} \right], \qquad u_{\mathrm{harmonic}}(d) = \varepsilon\, (d - r_c)^2`,
      'd is the distance to the surface. A constant is taken off, so that the energy is 0 at rcut. A particle that passes the first two kinds ends the run.',
    )}`,
    literature: [literature.allenTildesley],
    example: `${slab}${pairs}  - wall: { form: lj93, plane: { point: [0, 0, 3.0], normal: [0, 0, 1] }, epsilon: 1.0, sigma: 1.0, rcut: 2.5 }
`,
  },
  reflect: {
    theory: math(
      String.raw`\mathbf r \leftarrow \mathbf r - 2 (d\, \mathbf n), \qquad \mathbf v \leftarrow \mathbf v - 2\, (\mathbf n \cdot (\mathbf v - \mathbf w))\, \mathbf n`,
      'd < 0 is how far a particle is beyond the surface, n the normal, w the velocity of the wall. Energy is kept where the wall stands.',
    ),
    example: `${slab}${pairs}after_drift:
  - reflect: { plane: { point: [0, 0, 1.0], normal: [0, 0, 1] } }
  - reflect: { plane: { point: [0, 0, 15.0], normal: [0, 0, -1] } }
`,
  },
};
