import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { loadSimulation, runSimulation } from '@corpuscle/core';
import { createExecutionContext } from '@corpuscle/patterns';
import { afterAll, expect, it } from 'vitest';
import { createRegistry } from '../../createRegistry.js';
import { thermoKey } from '../stateKeys.js';
import { thermoColumns } from './thermoRow.js';

const folder = mkdtempSync(path.join(tmpdir(), 'corpuscle-thermo-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('writes every column in the units of the user', async () => {
  const file = path.join(folder, 'in.yaml');
  writeFileSync(
    file,
    `configuration: { units: metal, seed: 4 }
particle_types: { Ar: { mass: 39.948 } }
simulation:
  - lattice: { structure: fcc, lattice_constant: 5.2, repeat: [4, 4, 4] }
  - init_temperature: { temperature: 90 }
  - zero_force
  - lennard_jones_force: { epsilon: 0.0104, sigma: 3.4, rcut: 8 }
  - thermo
`,
  );
  await using context = await createExecutionContext({ backend: 'cpu', threads: 1 });
  const simulation = loadSimulation([file], { operators: createRegistry() });
  const { state } = await runSimulation(simulation, { context, outputDirectory: folder });
  const [header, line] = readFileSync(path.join(folder, 'thermo.csv'), 'utf8').split('\n');
  expect(header).toBe(thermoColumns.join(','));

  // Internal units are g/mol, Å, ps and K. LAMMPS has 1.0364269e-4 eV in one of g/mol Å²/ps², and 1.6021765e6 bar in one eV/Å³.
  const eV = 1 / 1.0364269e-4;
  const bar = eV / 1.6021765e6;
  const row = state.get(thermoKey);
  const shown = line!.split(',').map(Number);
  thermoColumns.forEach((name, k) => {
    const unit = name.endsWith('_energy') ? eV : /^p(ressure|[xyz]{2})$/.test(name) ? bar : 1;
    if (name !== 'step' && name !== 'time') expect(Math.abs(shown[k]!), name).toBeGreaterThan(1e-6);
    expect(Math.abs(shown[k]! - row[name] / unit), name).toBeLessThanOrEqual(
      1e-12 * Math.abs(shown[k]!),
    );
  });
  expect(shown[thermoColumns.indexOf('temperature')]).toBeCloseTo(90, 9);
});
