// Writes lammps.json with LAMMPS: step 0 of every script here.     npx tsx test/data/convert/generate.ts
import { writeFileSync } from 'node:fs';
import { askLammps, convertFolder, scriptNames } from '../../support/convertCases.js';

const results = Object.fromEntries(scriptNames.map((name) => [name, askLammps('lmp', name)]));
writeFileSync(`${convertFolder}/lammps.json`, `${JSON.stringify(results, null, 1)}\n`);
