import { allocateNumbers } from '@corpuscle/core';
import { failAt } from '../../io/failAt.js';
import { LineReader } from '../../io/LineReader.js';
import type { TableUnits } from '../tabulated/readPairTable.js';

/** The tables of an embedded-atom potential, in simulation units; table k of a kind at multiples of its spacing from 0. */
export interface SetflTables {
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
 * A file of several elements with as many ρ(r) for each is one of `pair_style eam/fs` (`.eam.fs`).
 *
 * @throws CorpuscleError FILE_NOT_FOUND, FILE_FORMAT at the line.
 */
export function readSetfl(
  file: string,
  { length, energy }: TableUnits = { length: 1, energy: 1 },
): SetflTables {
  const reader = new LineReader(file);
  let text = '';
  const fail = (message: string): never => failAt(reader, text, 1, message);
  let ahead: string[] | null = null;
  const line = (what: string): string[] => {
    if (ahead) {
      const words = ahead;
      ahead = null;
      return words;
    }
    const next = reader.next();
    if (next === null) return fail(`the file ends before ${what}`);
    text = next;
    return next.trim().split(/\s+/).filter(Boolean);
  };
  const numbers = (count: number, what: string, factor: number): Float64Array => {
    // A number takes a character and a separator: only what the file can hold is allocated.
    if (2 * count > reader.bytes + 1)
      fail(`the file is too short (${reader.bytes} bytes) for ${what}, which has ${count} numbers`);
    const values = allocateNumbers(count, what);
    for (let k = 0; k < count; ) {
      for (const word of line(`${what} has all of its ${count} numbers`)) {
        const value = Number(word);
        if (!Number.isFinite(value)) fail(`'${word}' in ${what} is no number`);
        if (k === count) fail(`${what} has more than ${count} numbers`);
        values[k++] = value * factor;
      }
    }
    return values;
  };
  /** Whether more numbers follow, and no line of an element such as `29 63.55 3.615 fcc`. */
  const isTable = (what: string): boolean => {
    ahead = line(what);
    return ahead.every((word) => Number.isFinite(Number(word)));
  };
  try {
    for (let k = 0; k < 3; k++) line('its three comments');
    const [count, ...elements] = line('the elements');
    if (!(Number(count) > 0) || elements.length !== Number(count))
      fail('line 4 must say how many elements there are, and name them');
    const sizes = line('the sizes of its tables').map(Number);
    const [densities, densitySpacing, radii, spacing, rcut] = sizes as [
      number,
      number,
      number,
      number,
      number,
    ];
    const whole = [densities, radii].every((n) => Number.isInteger(n) && n >= 5);
    if (!whole || !(densitySpacing > 0 && spacing > 0 && rcut > 0))
      fail('line 5 must say Nrho drho Nr dr cutoff, with Nrho and Nr 5 or more');
    const embedding: Float64Array[] = [];
    const density: Float64Array[] = [];
    let others: readonly string[] = [];
    for (const [k, name] of elements.entries()) {
      line(`the element ${name}`);
      embedding.push(numbers(densities, `F of ${name}`, energy));
      density.push(numbers(radii, `the density of ${name}`, 1));
      if (k === 0 && elements.length > 1 && isTable(`the element ${elements[1]}`))
        others = elements.slice(1);
      for (const other of others)
        density.push(numbers(radii, `the density of ${name} at ${other}`, 1));
    }
    const pair = elements.flatMap((a, i) =>
      elements.slice(0, i + 1).map((b) => numbers(radii, `r φ of ${a}-${b}`, energy * length)),
    );
    return {
      elements,
      rcut: rcut * length,
      densitySpacing,
      spacing: spacing * length,
      embedding,
      density,
      pair,
    };
  } finally {
    reader.close();
  }
}
