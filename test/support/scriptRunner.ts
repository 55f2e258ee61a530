import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import '../setup/lendDevices.js';
import type { Script } from './runScripts.js';

// The process of `runScripts`: each script is imported as if it had been started.
const [program, , mark, list] = process.argv;
for (const { file, argument } of JSON.parse(list!) as Script[]) {
  console.log(mark);
  process.chdir(dirname(file));
  process.argv = [program!, file, argument];
  await import(`${pathToFileURL(file).href}?${argument}`);
}
