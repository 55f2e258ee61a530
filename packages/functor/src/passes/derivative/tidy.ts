import type { Stmt, Variable } from '../../ir.js';
import { dropUnused } from '../withOutputs.js';
import { namer } from './namer.js';
import { shareCommon } from './shareCommon.js';

/** What differentiation leaves: without what nothing needs, and with what occurs several times computed once. */
export function tidy(body: readonly Stmt[], params: readonly Variable[]): Stmt[] {
  return dropUnused(shareCommon(dropUnused(body), namer(params, body)));
}
