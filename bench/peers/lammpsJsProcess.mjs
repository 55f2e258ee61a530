// Runs a LAMMPS script from standard input in a build of lammps.js: <module> [flags of LAMMPS …]. Prints its log, and the
// processor time of the last line.
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
const script = readFileSync(0, 'utf8').trimEnd();
const last = script.lastIndexOf('\n') + 1;
lammps.runScript(script.slice(0, last));
const before = process.cpuUsage();
lammps.runScript(`${script.slice(last)}\n`);
const { user, system } = process.cpuUsage(before);
print(`processor seconds ${(user + system) / 1e6}`);
process.stdout.write(`${lines.join('\n')}\n`, () => process.exit(0)); // its threads would keep the process alive
