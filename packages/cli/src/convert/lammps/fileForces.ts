import type { Slots } from '../Draft.js';
import { massesOf, massOf } from './eamMasses.js';
import { setMass } from './particles.js';
import { textBeside } from './readCommands.js';
import type { Script } from './Script.js';
import { Unmapped } from './Unmapped.js';

/** Forces of files: the operator, and whether the file names elements. */
export const FILES: Readonly<Record<string, string>> = {
  eam: 'embedded_atom_force',
  'eam/alloy': 'embedded_atom_force',
  'eam/fs': 'embedded_atom_force',
  sw: 'stillinger_weber_force',
};

/** Slots of `pair_style table` with arguments, for `pair_coeff` with words. */
export function tableSlots(
  script: Script,
  [interpolation, points]: readonly string[],
  words: readonly string[],
): Slots {
  const [file, keyword, rcut] = words;
  if (rcut === undefined) throw new Unmapped('pair_coeff of a table needs a cutoff here');
  if (interpolation !== 'linear' && interpolation !== 'spline')
    throw new Unmapped(`tables of style ${interpolation} have no counterpart`);
  return {
    file: file!,
    keyword: keyword!,
    rcut: script.number(rcut),
    interpolation,
    points: script.whole(points),
  };
}

/** Masses are those of the file, as in LAMMPS. */
function takeMasses(script: Script, file: string, elements: readonly string[]): void {
  const masses = massesOf(textBeside(script.place, file));
  if (elements.some((element) => !masses.has(element)))
    script.note(`LAMMPS takes masses from ${file}: put it beside the script, or check them`);
  elements.forEach((element, k) => {
    const mass = masses.get(element);
    if (mass !== undefined) setMass(script, [String(k + 1), String(mass)]);
  });
}

/** `pair_coeff * * file` of `eam`, whose files are of one element. */
function oneElement(script: Script, [file, ...others]: readonly string[], isAll: boolean) {
  if (!file || others.length > 0) throw script.mistake('pair_coeff of eam needs a file');
  if (!isAll) throw new Unmapped('eam of several files has no counterpart: eam/alloy has');
  const mass = massOf(textBeside(script.place, file));
  if (mass === null)
    script.note(`LAMMPS takes the mass from ${file}: put it beside the script, or check it`);
  else setMass(script, ['*', String(mass)]);
  return { name: FILES.eam!, slots: { file } };
}

/** `pair_coeff * * file El …`. @param isAll whether it is for all pairs */
export function fileForce(
  script: Script,
  style: string,
  words: readonly string[],
  isAll: boolean,
): { readonly name: string; readonly slots: Slots } {
  if (style === 'eam') return oneElement(script, words, isAll);
  const [file, ...elements] = words;
  if (!file || elements.length !== script.types.length)
    throw script.mistake(
      `pair_coeff of ${style} needs a file and an element for each of ${script.types.length} types`,
    );
  if (elements.includes('NULL'))
    throw new Unmapped('types without forces (NULL) have no counterpart');
  if (style !== 'sw') takeMasses(script, file, elements);
  const names = Object.fromEntries(script.types.map(({ name }, k) => [name, elements[k]!]));
  return { name: FILES[style]!, slots: { file, elements: names } };
}
