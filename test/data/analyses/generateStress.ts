// Writes stress.json.gz with LAMMPS: stresses of particles and heat fluxes in the configurations of other folders.
//                                                            npx tsx test/data/analyses/generateStress.ts [path of lmp]
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import { stressVelocities } from '../../support/stressCases.js';
import { type Box, LammpsRunner } from '../lammpsRunner.js';

const data = (name: string) => fileURLToPath(new URL(`../${name}`, import.meta.url));
const lmp = process.argv[2] ?? 'lmp';
const plain = new LammpsRunner(lmp);
const bonded = new LammpsRunner(lmp, ['atom_style bond', 'special_bonds lj 0 0.5 0.8']);
const cases = {
  lennard_jones: {
    file: 'potentials/triclinic.json.gz',
    runner: plain,
    commands: [
      'mass 2 3',
      'pair_style lj/cut 2.5',
      'pair_coeff 1 1 1 1',
      'pair_coeff 1 2 1.5 0.9 2.2',
      'pair_coeff 2 2 0.5 0.95 2.4',
    ],
  },
  stillinger_weber: {
    file: 'manybody/silicon-triclinic.json.gz',
    runner: plain,
    commands: ['mass 2 3', 'pair_style sw', `pair_coeff * * ${data('manybody/SiX.sw')} Si X`],
  },
  eam: {
    file: 'manybody/metal-triclinic.json.gz',
    runner: plain,
    // The file has masses of its own.
    commands: [
      'pair_style eam/alloy',
      `pair_coeff * * ${data('manybody/MN.eam.alloy')} M N`,
      'mass 2 3',
    ],
  },
  bonds: {
    file: 'manybody/chains-triclinic.json.gz',
    runner: bonded,
    commands: [
      'pair_style lj/cut 2.5',
      'pair_coeff 1 1 1 1',
      'bond_style harmonic',
      'bond_coeff 1 80 1.05',
    ],
  },
};
const results = Object.fromEntries(
  Object.entries(cases).map(([name, { file, runner, commands }]) => {
    const { lattice, types, positions, bonds } = JSON.parse(
      gunzipSync(readFileSync(data(file))).toString(),
    );
    const box = [0, 4, 8, 3, 6, 7].map((k) => lattice[k]) as unknown as Box;
    const velocities = stressVelocities(types.length);
    return [name, runner.stresses({ box, types, positions, bonds, velocities }, commands)];
  }),
);
plain.close();
bonded.close();
const text = JSON.stringify(results);
writeFileSync(data('analyses/stress.json.gz'), gzipSync(text, { level: 9 }));
