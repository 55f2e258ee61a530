// Runs a LAMMPS script from standard input in a build of lammps.js and prints its log: <module> [flags of LAMMPS …]
// Plain JavaScript, because threads of the KOKKOS build load it again.
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const [file, ...flags] = process.argv.slice(2);
const { default: createModule } = await import(pathToFileURL(file).href);
const lines = [];
const print = (line) => lines.push(line);
const { LAMMPSWeb } = await createModule({ print, printErr: print });
const lammps = new LAMMPSWeb();
if (flags.length > 0) lammps.startWithArgs(flags);
else lammps.start();
lammps.runScript(readFileSync(0, 'utf8'));
process.stdout.write(`${lines.join('\n')}\n`, () => process.exit(0)); // its threads would keep the process alive
