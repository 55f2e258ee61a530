import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { compileWhenUsed } from '@corpuscle/functor';
import '../setup/lendDevices.js';
import type { Script } from './runScripts.js';

// The process of `runScripts`: each script is imported as if it had been started.
await compileWhenUsed(() => import('@corpuscle/operators'));
const [program, , mark, list] = process.argv;
for (const { file, argument, bundle } of JSON.parse(list!) as (Script & { bundle: string })[]) {
  console.log(mark);
  process.chdir(dirname(file));
  process.argv = [program!, file, argument];
  await import(`${pathToFileURL(bundle).href}?${argument}`);
}
