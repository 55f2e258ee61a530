// An analysis of one's own leaves a charge on one particle after another, which ranks that have others must learn of. Rank 0 prints
// the rows of thermo of all ranks, and those of one process, as JSON.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadSimulation, runSimulation } from '@corpuscle/core';
import { joinRanks, RanksEngine } from '@corpuscle/mpi';
import { createRegistry, defineAnalysis } from '@corpuscle/operators';
import { createExecutionContext } from '@corpuscle/patterns';

const text = `
configuration: { units: lj, seed: 3 }
global: { dt: 0.001, rcut_inc: 0.5, end_iteration: 20, thermo_frequency: 1 }
particle_types: { A: { mass: 1, charge: 0.1 } }
setup_system:
  - lattice: { structure: fcc, density: 0.8442, repeat: [4, 4, 4], types: [A] }
  - init_temperature: { temperature: 0.1 }
compute_force: [coulomb_dsf_force: { alpha: 0.3, rcut: 2 }]
dump_data: [charge_one]
simulation: molecular_dynamics
`;
const chargeOne = defineAnalysis({
  name: 'charge_one',
  doc: 'Gives one particle a charge.',
  slots: {},
  frame({ grid, state }) {
    const ids = grid.values('id');
    const id = (7 * state.step) % ids.length;
    grid.setValues(
      'charge',
      grid.values('charge').map((charge, row) => (ids[row] === id ? 2 : charge)),
    );
  },
});

const ranks = await joinRanks();
const folder = mkdtempSync(join(tmpdir(), 'corpuscle-marks-'));
const file = join(folder, 'marks.yaml');
writeFileSync(file, text);

async function tableOf(name, writes, around) {
  const simulation = loadSimulation([file], { operators: createRegistry().add(chargeOne) });
  const context = await createExecutionContext({ backend: 'cpu', threads: 1, ...around });
  const outputDirectory = join(folder, name);
  await runSimulation(simulation, { context, outputDirectory, writes });
  await context.close();
  return writes ? readFileSync(join(outputDirectory, 'thermo.csv'), 'utf8') : '';
}

const isFirst = ranks.rank === 0;
const around = (engine) => new RanksEngine(engine, ranks, () => false);
const shared = await tableOf('shared', isFirst, { around });
if (isFirst) console.log(JSON.stringify({ shared, alone: await tableOf('alone', true) }));
rmSync(folder, { recursive: true, force: true });
ranks.close();
