import type { FixParts, Script } from './Script.js';
import { Unmapped } from './Unmapped.js';

const COUPLINGS: Readonly<Record<string, string>> = {
  iso: 'iso',
  aniso: 'aniso',
  tri: 'triclinic',
};

/** What `fix box/relax …` makes of the minimizations while it is there. @throws Unmapped, CorpuscleError */
export function relaxBox(script: Script, args: readonly string[]): FixParts {
  let coupling: string | undefined;
  const lengths = new Map<string, number>();
  let pressure = 0;
  for (let k = 0; k < args.length; k += 2) {
    const [key, word] = [args[k]!, args[k + 1]];
    if (Object.hasOwn(COUPLINGS, key)) {
      coupling = COUPLINGS[key]!;
      pressure = script.number(word);
    } else if (/^[xyz]$/.test(key)) lengths.set(key, script.number(word));
    // How fast the box goes there.
    else if (!/^(vmax|nreset)$/.test(key))
      throw new Unmapped(`box/relax with ${key} has no counterpart`);
  }
  if (lengths.size > 0) {
    const [first, ...others] = lengths.values();
    if (coupling || lengths.size < 3 || others.some((one) => one !== first))
      throw new Unmapped('box/relax of some axes, or to several pressures, has no counterpart');
    coupling = 'aniso';
    pressure = first!;
  }
  if (!coupling) throw script.mistake('box/relax needs iso, aniso, tri, or x, y and z');
  return { relaxes: { pressure, ...(coupling !== 'iso' && { coupling }) } };
}
