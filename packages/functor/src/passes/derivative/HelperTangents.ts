import type { Expr, HelperIR, Stmt, Variable } from '../../ir.js';
import { number } from './algebra.js';
import { namer } from './namer.js';
import { type TangentHelpers, Tangents } from './Tangents.js';
import { tidy } from './tidy.js';

/** The tangents of helpers: one for each set of arguments that change. */
export class HelperTangents implements TangentHelpers {
  readonly #made = new Map<HelperIR, Map<string, HelperIR | null>>();
  readonly #all: HelperIR[] = [];

  /** All that were made, callees before callers. */
  get all(): readonly HelperIR[] {
    return this.#all;
  }

  of(helper: HelperIR, changes: readonly boolean[]): HelperIR | null {
    if (!changes.includes(true) || helper.builtin) return null;
    const known = this.#made.get(helper) ?? new Map<string, HelperIR | null>();
    this.#made.set(helper, known);
    const key = changes.map(Number).join('');
    const present = known.get(key);
    if (present !== undefined) return present;
    const made = this.#make(helper, changes, `${helper.name}_t${key}`);
    known.set(key, made);
    if (made) this.#all.push(made);
    return made;
  }

  #make(helper: HelperIR, changes: readonly boolean[], name: string): HelperIR | null {
    const { params, body } = helper;
    const fresh = namer(params, body);
    const inputs = new Map<Variable, Extract<Expr, { kind: 'variable' }>>();
    params.forEach((v, k) => {
      const variable = fresh(`${v.id}_t`);
      if (changes[k]) inputs.set(v, { kind: 'variable', type: 'real', variable });
    });
    const all = [...params, ...[...inputs.values()].map(({ variable }) => variable)];
    const tangents = new Tangents({ body, name: fresh, helpers: this, inputs });
    let depends = false;
    const derived = tangents.list(body, (s): Stmt[] => {
      if (s.kind !== 'return') return [s];
      const values = s.values.filter(({ type }) => type === 'real').map(tangents.tangentOf);
      depends ||= values.some((value) => value !== null);
      return [{ ...s, values: values.map((value): Expr => value ?? number(0)) }];
    });
    if (!depends) return null;
    const results = helper.results.filter((type) => type === 'real');
    return {
      name,
      params: all,
      results,
      body: tidy(derived, all),
    };
  }
}
