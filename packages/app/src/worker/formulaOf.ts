import { CorpuscleError, type Grid } from '@corpuscle/core';
import { type CellFunctor, cellFunctor } from '@corpuscle/patterns';
import type { Coloring } from '@corpuscle/view';

/** The field that a formula is computed into. */
export const FORMULA = 'formula';

let last: { readonly key: string; readonly functor: CellFunctor } | null = null;

/**
 * A color from what a user has typed: the name of a field, or a formula of fields as in `vx ** 2 + vy ** 2`.
 * @throws CorpuscleError UNKNOWN_FIELD for names that particles do not have; what the compiler says of the formula
 */
export function formulaOf(text: string, grid: Grid): Pick<Coloring, 'field' | 'functor'> {
  const formula = text.trim();
  if (grid.hasField(formula)) return { field: formula };
  const numbers = numbersOf(grid);
  const words = new Set(formula.match(/(?<![\w.])[A-Za-z_]\w*/g) ?? []);
  const fields: Record<string, 'real' | 'u32'> = {};
  for (const word of words) {
    const type = numbers.get(word);
    if (type) fields[word] = type;
    else if (!(word in Math) && word !== 'Math') throw unknown(word, [...numbers.keys()]);
  }
  const key = JSON.stringify([formula, fields]);
  if (key !== last?.key) last = { key, functor: compiled(formula, fields) };
  return { field: FORMULA, functor: last.functor };
}

function compiled(formula: string, read: Record<string, 'real' | 'u32'>): CellFunctor {
  const body = formula.replace(/(?<![\w.])[A-Za-z_]\w*/g, (word) => {
    if (word in read) return `i.${word}`;
    return word === 'Math' ? word : `Math.${word}`;
  });
  let fn: (i: object) => void;
  try {
    new Function(`"use strict"; return (${body}\n);`); // one expression, which cannot end the function around it
    fn = new Function(`"use strict"; return (i) => { i.${FORMULA} = ${body}; }`)();
  } catch (cause) {
    throw new CorpuscleError(
      'FUNCTOR_SYNTAX',
      `the color '${formula}' is no formula: ${(cause as Error).message}`,
      { cause },
    );
  }
  return cellFunctor({ name: 'color', fields: { [FORMULA]: 'real' }, read }, fn) as CellFunctor;
}

/** Names of the numbers of particles that formulas can read. */
function numbersOf(grid: Grid): Map<string, 'real' | 'u32'> {
  const types = { f64: 'real', u32: 'u32' } as const;
  const all = [...grid.blocks.values()].flatMap(({ spec: { type, members } }) =>
    members.flatMap((name) =>
      name === null || name === FORMULA || !(type in types)
        ? []
        : [[name, types[type as keyof typeof types]] as const],
    ),
  );
  return new Map(all);
}

const unknown = (word: string, names: readonly string[]): CorpuscleError =>
  new CorpuscleError(
    'UNKNOWN_FIELD',
    `the color has '${word}', which particles do not have: they have ${names.join(', ')}`,
  );
