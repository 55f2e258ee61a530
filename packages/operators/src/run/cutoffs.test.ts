import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { loadSimulation } from '@corpuscle/core';
import { afterAll, expect, it } from 'vitest';
import { createRegistry } from '../createRegistry.js';
import { usedCutoffs } from './cutoffs.js';

const folder = mkdtempSync(path.join(tmpdir(), 'corpuscle-cutoffs-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('finds the cutoffs of operators and of their pairs of types, and where they are written', () => {
  const file = path.join(folder, 'in.yaml');
  writeFileSync(
    file,
    `particle_types: { A: { mass: 1 }, B: { mass: 1 } }
simulation:
  - lattice: { structure: fcc, density: 1, repeat: [4, 4, 4] }
  - lennard_jones_force: { epsilon: 1, sigma: 1, rcut: 2.5 }
  - morse_force:
      pairs:
        - { types: [A, A], D: 1, alpha: 1, r0: 1, rcut: 1.5 }
        - { types: [A, B], D: 1, alpha: 1, r0: 1, rcut: 3.5 }
        - { types: [B, B], D: 1, alpha: 1, r0: 1, rcut: 2.25 }
`,
  );
  const simulation = loadSimulation([file], { operators: createRegistry() });
  const found = usedCutoffs(simulation).map(
    ({ operator, rcut, location }) => [operator, rcut, location?.line] as const,
  );
  expect(found).toEqual([
    ['lennard_jones_force', 2.5, 4],
    ['morse_force', 1.5, 7],
    ['morse_force', 3.5, 7],
    ['morse_force', 2.25, 7],
  ]);
});
