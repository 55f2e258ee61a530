import type { Stmt, Variable } from '../../ir.js';
import { forEachStatement } from '../walk.js';
import type { Namer } from './Tangents.js';

/** Names that none of these variables has, nor any that is declared in the body. */
export function namer(given: readonly Variable[], body: readonly Stmt[]): Namer {
  const used = new Set(given.map(({ id }) => id));
  forEachStatement(body, (s) => {
    if (s.kind === 'declare' || s.kind === 'declareArray') used.add(s.variable.id);
    if (s.kind === 'callMany') for (const { id } of s.targets) used.add(id);
  });
  return (base) => {
    let id = base;
    for (let k = 2; used.has(id); k++) id = `${base}${k}`;
    used.add(id);
    return { id, name: base, type: 'real', size: 0 };
  };
}
