// Writes styles.json.gz with LAMMPS.     npx tsx test/data/potentials/generateStyles.ts [path of lmp]
// Commands stand beside our coefficients in test/support/pairStyles.ts. Numbers have 13 digits.
import { writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import {
  chargedFrame,
  KEPT,
  pairStyles,
  styleConfigurations,
  stylesFile,
} from '../../support/pairStyles.js';
import { type Configuration, LammpsRunner } from '../lammpsRunner.js';

const lammps = new LammpsRunner(process.argv[2] ?? 'lmp', ['atom_style charge']);
const short = (x: number) => Number(x.toPrecision(13));

function configurationOf(name: string): Configuration {
  const { type, position, charge, lattice } = chargedFrame(name);
  const [x, , , xy, y, , xz, yz, z] = lattice! as unknown as number[];
  return {
    box: [x!, y!, z!, xy!, xz!, yz!],
    types: [...type],
    positions: [...position],
    charges: [...charge!],
  };
}

const results = Object.fromEntries(
  styleConfigurations.map((name) => {
    const configuration = configurationOf(name);
    const styles = pairStyles.map((style) => {
      const { energy, pressure, forces } = lammps.evaluate(configuration, style.lammps);
      const kept = forces.slice(0, 3 * KEPT).map(short);
      return [style.name, { energy, pressure: pressure.map(short), forces: kept }];
    });
    return [name, Object.fromEntries(styles)];
  }),
);
writeFileSync(stylesFile, gzipSync(JSON.stringify(results), { level: 9 }));
lammps.close();
