import melt from '../../../../examples/01-lj-melt.yaml?raw';
import argon from '../../../../examples/12-argon.yaml?raw';
import droplet from '../../../../examples/14-droplet.yaml?raw';
import polycrystal from '../../../../examples/15-polycrystal.yaml?raw';
import silicon from '../../../../examples/16-silicon.yaml?raw';
import type { Texts } from '../session/messages.js';

/** The example without what only editors on a disk need. */
const yaml = (text: string): Texts => ({
  simulation: text.replace(/^# yaml-language-server.*\n/, ''),
  potential: '',
});

const soft = `// u(r) alone; forces, lists and GPUs are not its concern. Below compute_force it is soft_sphere_force.
definePairPotential({
  name: 'soft_sphere',
  doc: 'Adds the forces of soft spheres, u(r) = epsilon (sigma/r)^12.',
  coefficients: {
    epsilon: { dimension: dimensions.energy, min: 0, doc: 'energy at r = sigma' },
    sigma: { dimension: dimensions.length, above: 0, doc: 'diameter' },
  },
  energy: (r, epsilon, sigma) => epsilon * (sigma / r) ** 12,
});
`;

const thermostatted = `# Soft spheres with a potential of one's own, see "Potential". Put the cursor on a number for a slider.
configuration: { units: lj, seed: 87287 }
global: { dt: 0.004, rcut_inc: 0.3, end_iteration: 100000, thermo_frequency: 20 }
particle_types: { A: { mass: 1.0 } }

setup_system:
  - lattice: { structure: fcc, density: 0.8, repeat: [8, 8, 8], types: [A] }
  - init_temperature: { temperature: 1.2 }

compute_force:
  - soft_sphere_force: { epsilon: 1.0, sigma: 1.0, rcut: 2.2, shift: force }

numerical_scheme:
  - langevin: { temperature: 1.0, friction: 1.0 }

simulation: molecular_dynamics
`;

/** The gallery of the manual, by the names of its files: `Structure factor`. */
const gallery = Object.entries(
  import.meta.glob('../../../../examples/gallery/*.yaml', {
    query: '?raw',
    import: 'default',
    eager: true,
  }),
).map(([path, text]) => {
  const name = path.replace(/^.*\/|\.yaml$/g, '').replaceAll('-', ' ');
  return [name[0]!.toUpperCase() + name.slice(1), yaml(text)] as const;
});

/** What the gallery has, by name. */
export const examples: Readonly<Record<string, Texts>> = {
  'Lennard-Jones melt': yaml(melt),
  'Own potential, thermostat': { simulation: thermostatted, potential: soft },
  Droplet: yaml(droplet),
  Polycrystal: yaml(polycrystal),
  'Silicon melts': yaml(silicon),
  'Liquid argon, analyses': yaml(argon),
  ...Object.fromEntries(gallery),
};
