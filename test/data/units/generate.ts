// Writes lammps.json: the runs of the scripts here, by LAMMPS.     npx tsx test/data/units/generate.ts [lmp]
import { writeFileSync } from 'node:fs';
import { askForRun, unitFolder, unitScripts } from '../../support/unitCases.js';

const lmp = process.argv[2] ?? 'lmp';
const runs = Object.fromEntries(unitScripts.map((name) => [name, askForRun(lmp, name)]));
writeFileSync(`${unitFolder}/lammps.json`, `${JSON.stringify(runs)}\n`);
