import { Domain, defineOperator, loadSimulation, type OperatorDefinition } from '@corpuscle/core';
import { describe, expect, it } from 'vitest';
import { createRegistry } from '../createRegistry.js';
import { gridKey } from './stateKeys.js';

/** A crystal with a box 1.68 high along z, which 15 times the height is too little for. */
const text = (setup: string, rcut = 30, configuration = '') => `
configuration: { units: lj${configuration} }
global: { dt: 0.005, end_iteration: 10 }
particle_types: { A: { mass: 1 } }
setup_system:
${setup}
compute_force:
  - lennard_jones_force: { epsilon: 1, sigma: 1, rcut: ${rcut} }
  - buckingham_force: { A: 1, rho: 1, C: 0, rcut: 2 }
simulation: molecular_dynamics
`;
const load = (document: string, ...own: OperatorDefinition[]) =>
  loadSimulation([{ name: 'in.yaml', text: document }], {
    operators: createRegistry().add(...own),
  });
const lattice = '  - lattice: { structure: fcc, density: 0.8442, repeat: [20, 20, 1] }';

describe('a simulation whose file says its box', () => {
  it('has no cutoff that the box is too thin for', () => {
    expect(() => load(text(lattice))).toThrow(
      expect.objectContaining({
        code: 'BOX_TOO_THIN',
        message: expect.stringMatching(/^rcut 30 is more than 15 times the box, which is 1\.6/),
        location: expect.objectContaining({ line: 8, column: 56 }),
      }),
    );
    expect(() =>
      load(text('  - domain: { upper: [50, 50, 1] }\n  - create_particles: { type: A, count: 4 }')),
    ).toThrow(expect.objectContaining({ code: 'BOX_TOO_THIN' }));
    load(text(lattice, 20));
  });

  it('is not judged where something before the run may change it', () => {
    load(text(`${lattice}\n  - replicate: { repeat: [1, 1, 4] }`));
    load(
      text(
        '  - domain: { upper: [50, 50, 1], periodic: [true, true, false] }\n  - create_particles: { type: A, count: 4 }',
      ),
    );
  });

  it('is checked also after operators of a user that declare what they do to the box', () => {
    const own = { name: 'own', doc: 'x', slots: {}, execute() {} } as const;
    const thin = expect.objectContaining({ code: 'BOX_TOO_THIN' });
    const after = text(`${lattice}\n  - own`);
    expect(() => load(after, defineOperator({ ...own, box: 'kept' }))).toThrow(thin);
    expect(() => load(after, defineOperator({ ...own, writes: ['velocity'] }))).toThrow(thin);
    load(after, defineOperator(own));
    const made = (height: number) =>
      defineOperator({
        ...own,
        provides: [gridKey],
        box: () => Domain.orthorhombic([50, 50, height]),
      });
    expect(() => load(text('  - own'), made(1))).toThrow(thin);
    load(text('  - own'), made(4));
    load(after, made(1)); // two boxes: only a run knows
  });

  it('has one backend for all that go through its lists', () => {
    expect(() => load(text(lattice, 2.5, ', backend: { buckingham_force: cpu }'))).toThrow(
      expect.objectContaining({
        code: 'INVALID_VALUE',
        message: expect.stringMatching(
          /lennard_jones_force \(auto\) and buckingham_force \(cpu\) have different backends/,
        ),
      }),
    );
  });
});
