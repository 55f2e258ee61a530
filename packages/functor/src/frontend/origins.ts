import type { Node } from 'acorn';
import type { Expr } from '../ir.js';
import type { SourceText } from './SourceText.js';

/** Where the user wrote an expression. */
export interface Origin {
  readonly source: SourceText;
  readonly node: Node;
}

const origins = new WeakMap<Expr, Origin>();

/** Remembers it beside the representation, for passes that run right after the front end and may have to complain. */
export function setOrigin(e: Expr, origin: Origin): void {
  origins.set(e, origin);
}

/** Null for what a pass has made. */
export const originOf = (e: Expr): Origin | null => origins.get(e) ?? null;
