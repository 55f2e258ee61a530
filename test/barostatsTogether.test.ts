// What is said of barostats when a file is read, before anything runs.

import { type CorpuscleError, defineOperator, loadSimulation } from '@corpuscle/core';
import { bussi, createRegistry, defineIntegrator } from '@corpuscle/operators';
import { describe, expect, it } from 'vitest';

const load = (scheme: string, operators = createRegistry()) =>
  loadSimulation(
    [
      {
        name: 'in.yaml',
        text: `global: { dt: 0.005, end_iteration: 10, thermo_frequency: 5 }
particle_types: { A: { mass: 1 } }
setup_system: [{ lattice: { structure: fcc, density: 0.8, repeat: [4, 4, 4], types: [A] } }]
compute_force: [{ lennard_jones_force: { epsilon: 1, sigma: 1, rcut: 2.5 } }]
simulation: molecular_dynamics
numerical_scheme:
${scheme}`,
      },
    ],
    { operators },
  );

const bath = '  - bussi: { temperature: 1, tau: 0.1 }\n';
const rescale = '  - cell_rescale: { pressure: 1, temperature: 1, tau: 1 }\n';
const npt = '  - nose_hoover: { pressure: 1, tau_pressure: 1, temperature: 1, tau: 1 }\n';
const along = (axis: string) =>
  `  - berendsen: { pressure: 1, tau_pressure: 1, coupling: ${axis} }\n`;

it.each([
  [npt + rescale, 'nose_hoover and cell_rescale', 'xx, yy, zz'],
  [bath + rescale + rescale, 'cell_rescale and cell_rescale', 'xx, yy, zz'],
  [npt + along('z'), 'nose_hoover and berendsen', 'zz'],
  [along('x') + along('x'), 'berendsen and berendsen', 'xx'],
  [`${along('x')}  - deform: { rate: { xx: 0.1 } }\n`, 'berendsen and deform', 'xx'],
])('two that move one length are refused when the file is read: %s', (scheme, names, parts) => {
  let error: CorpuscleError | undefined;
  try {
    load(scheme);
  } catch (thrown) {
    error = thrown as CorpuscleError;
  }
  expect(error?.code).toBe('INVALID_VALUE');
  expect(error?.message).toContain(`${names} both move the box (${parts})`);
  expect(error?.location?.line).toBeGreaterThan(6);
});

it("an operator of one's own says which lengths it moves", () => {
  const press = defineOperator({
    name: 'press',
    doc: 'Presses.',
    slots: { axis: { type: 'string', default: 'zz', doc: 'the length' } },
    movesBox: ({ axis }) => [axis!],
    execute() {},
  });
  const operators = createRegistry().add(press);
  load(`${along('x')}  - press\n`, operators);
  expect(() => load(`${along('x')}  - press: { axis: xx }\n`, operators)).toThrow(
    'berendsen and press both move the box (xx)',
  );
});

it('those of different lengths may stand beside each other', () => {
  expect(load(along('x') + along('y')).warnings).toEqual([]);
  load(`${along('x')}  - deform: { rate: { xy: 0.1, zz: 0.1 } }\n`);
});

it('cell_rescale without a thermostat is told, with its place', () => {
  const { warnings } = load(`  - velocity_verlet\n${rescale}`);
  expect(warnings.map(({ message }) => message)).toEqual([
    expect.stringMatching(/^cell_rescale has no thermostat beside it.*add one/),
  ]);
  expect(warnings[0]!.location.line).toBe(8);
  const baths = [bath, '  - langevin: { temperature: 1, friction: 1 }\n'];
  for (const one of baths) expect(load(one + rescale).warnings).toEqual([]);
});

it('an operator of one’s own is a thermostat for cell_rescale where it says so', () => {
  for (const keepsTemperature of [true, false]) {
    const own = defineIntegrator({ ...bussi.spec, name: 'own_bath', keepsTemperature });
    const operators = createRegistry().addBundle(own);
    const { warnings } = load(`  - own_bath: { temperature: 1, tau: 0.1 }\n${rescale}`, operators);
    expect(warnings).toHaveLength(keepsTemperature ? 0 : 1);
  }
});

it('cell_rescale of a scheme that several stages use is told once', () => {
  const text = `global: { dt: 0.005 }
particle_types: { A: { mass: 1 } }
setup_system: [{ lattice: { structure: fcc, density: 0.8, repeat: [4, 4, 4], types: [A] } }]
compute_force: [{ lennard_jones_force: { epsilon: 1, sigma: 1, rcut: 2.5 } }]
numerical_scheme: [velocity_verlet, { cell_rescale: { pressure: 1, temperature: 1, tau: 1 } }]
simulation: [setup_system, { run: { steps: 10 } }, { run: { steps: 20 } }, { run: { steps: 30 } }]
`;
  const files = [{ name: 'in.yaml', text }];
  const { warnings } = loadSimulation(files, { operators: createRegistry() });
  expect(warnings).toHaveLength(1);
  expect(warnings[0]!.location.line).toBe(5);
});

describe('stages that a loop takes several times', () => {
  const text = (first: string, second: string) => `global: { dt: 0.005 }
particle_types: { A: { mass: 1 } }
setup_system: [{ lattice: { structure: fcc, density: 0.8, repeat: [4, 4, 4], types: [A] } }]
compute_force: [{ lennard_jones_force: { epsilon: 1, sigma: 1, rcut: 2.5 } }]
twice: { loop: 2, body: [{ run: { steps: 5, numerical_scheme: ${first} } }, { run: { steps: 5, numerical_scheme: ${second} } }] }
simulation: [setup_system, twice]
`;
  const read = (first: string, second: string) =>
    loadSimulation([{ name: 'in.yaml', text: text(first, second) }], {
      operators: createRegistry(),
    });
  const npt = '{ nose_hoover: { temperature: 1, tau: 0.1, pressure: 1, tau_pressure: 1 } }';
  const press = '{ berendsen: { pressure: 1, tau_pressure: 1 } }';

  it('may each have a barostat of its own, but no two', () => {
    expect(read(npt, press).warnings).toEqual([]);
    expect(() => read('velocity_verlet', `[${npt}, ${press}]`)).toThrow(
      'nose_hoover and berendsen both move the box',
    );
  });

  it('may have steps of different kinds', () => {
    const adaptive = '{ velocity_verlet_adaptive: { max_displacement: 0.1 } }';
    const bath = '{ bussi: { temperature: 1, tau: 0.1 } }';
    expect(read(adaptive, bath).warnings).toEqual([]);
    expect(() => read('velocity_verlet', `[${adaptive}, ${bath}]`)).toThrow(
      'chooses the time step',
    );
  });
});
