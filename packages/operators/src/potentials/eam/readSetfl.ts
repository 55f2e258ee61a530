import type { TableUnits } from '../tabulated/readPairTable.js';
import { isFuncfl, readFuncfl } from './readFuncfl.js';
import { TableLines } from './TableLines.js';

/** The tables of an embedded-atom potential, in simulation units; table k of a kind at multiples of its spacing from 0. */
export interface SetflTables {
  /** Their names; none where all types are of the only one. */
  readonly elements: readonly string[];
  readonly rcut: number;
  readonly densitySpacing: number;
  readonly spacing: number;
  /** F(ρ) of each element. */
  readonly embedding: readonly Float64Array[];
  /** ρ(r) of each element; in the form of Finnis and Sinclair that of element i at an element j, at i · elements + j. */
  readonly density: readonly Float64Array[];
  /** r φ(r) of elements i ≥ j, at i (i + 1) / 2 + j. */
  readonly pair: readonly Float64Array[];
}

/**
 * Reads a file in the format `setfl` (`.eam.alloy`), as LAMMPS's `pair_style eam/alloy` does:
 *
 *   three comments · number of elements and their names · Nrho drho Nr dr cutoff
 *   for each element: a line, F(ρ) Nrho times, ρ(r) Nr times · then r φ(r) of each pair i ≥ j, Nr times
 *
 * A file of several elements with as many ρ(r) for each is one of `pair_style eam/fs` (`.eam.fs`). One in the format `funcfl` (`.eam`)
 * is that of `pair_style eam`, of one element.
 *
 * @throws CorpuscleError FILE_NOT_FOUND, FILE_FORMAT at the line.
 */
export function readSetfl(file: string, units: TableUnits = { length: 1, energy: 1 }): SetflTables {
  using lines = new TableLines(file);
  const comment = () => lines.line('its three comments');
  const [, second, third] = [comment(), comment(), comment()];
  if (isFuncfl(second, third)) return readFuncfl(lines, third, units);
  const { length, energy } = units;
  const [count, ...elements] = lines.line('the elements');
  if (!(Number(count) > 0) || elements.length !== Number(count))
    lines.fail('line 4 must say how many elements there are, and name them');
  const sizes = lines.line('the sizes of its tables');
  const { densities, densitySpacing, radii, spacing, rcut } = lines.sizes(sizes, 5);
  const embedding: Float64Array[] = [];
  const density: Float64Array[] = [];
  let others: readonly string[] = [];
  for (const [k, name] of elements.entries()) {
    lines.line(`the element ${name}`);
    embedding.push(lines.numbers(densities, `F of ${name}`, energy));
    density.push(lines.numbers(radii, `the density of ${name}`, 1));
    if (k === 0 && elements.length > 1 && lines.isTable(`the element ${elements[1]}`))
      others = elements.slice(1);
    for (const other of others)
      density.push(lines.numbers(radii, `the density of ${name} at ${other}`, 1));
  }
  const pair = elements.flatMap((a, i) =>
    elements.slice(0, i + 1).map((b) => lines.numbers(radii, `r φ of ${a}-${b}`, energy * length)),
  );
  return {
    ...{ elements, rcut: rcut * length, densitySpacing, spacing: spacing * length },
    ...{ embedding, density, pair },
  };
}
