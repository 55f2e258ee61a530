import type { Expr, Stmt, Variable } from '../../ir.js';
import { number } from '../derivative/algebra.js';
import { type Namer, type TangentHelpers, Tangents } from '../derivative/Tangents.js';
import { mapStatement } from '../walk.js';
import type { Activity, EnergyOf } from './Activity.js';
import { assignedOutside, isVariable, type Loop, statementsOf } from './Loop.js';
import { addedTerm } from './sums.js';

/** What a loop that is derived forward leaves for the end. */
export interface RadialLoop {
  readonly statements: readonly Stmt[];
  /** Arrays of the buffer, and those that hold their derivatives by r². */
  readonly arrays: ReadonlyMap<string, string>;
  /** Sums, and the arrays that hold what each neighbor contributes to their derivatives. */
  readonly sums: ReadonlyMap<Variable, string>;
}

/** What is needed to derive a loop forward. */
export interface RadialInput {
  readonly activity: Activity;
  readonly energy: EnergyOf;
  readonly name: Namer;
  readonly helpers: TangentHelpers;
  /** A new array of the buffer. */
  array(base: string): string;
  /** The array of ∂E/∂r², and how to write it: what comes first starts it. */
  slope(): { readonly field: string; readonly op: '=' | '+=' };
}

/**
 * Derives a loop that looks at no more than r² of the neighbor at hand: beside what it keeps for each neighbor it keeps the
 * derivative by r², and what it adds to the energy gives ∂E/∂r² at once.
 *
 *   for k { const r = √r²; b.g[k] = g(r); rho += f(r); i.ep += u(r); }
 *   →  … b.g[k] = g; b.g_t[k] = g′; b.rho_t[k] = f′; b.slope[k] = u′; rho += f; i.ep += u
 */
export function radialLoop(loop: Loop, input: RadialInput): RadialLoop {
  const { activity, energy, name, helpers } = input;
  const { counter } = loop;
  const at: Expr = { kind: 'variable', type: counter.type, variable: counter };
  const arrays = new Map<string, string>();
  const totals = new Map<Variable | 'own' | 'given', Variable>();
  const total = (key: Variable | 'own' | 'given', base: string) => {
    const found = totals.get(key) ?? name(`${base}_k`);
    totals.set(key, found);
    return found;
  };
  const outside = assignedOutside(loop.loop.body);
  const added = (variable: Variable, op: '+' | '-', term: Expr): Stmt => ({
    kind: 'assign',
    variable,
    value: { kind: 'binary', type: 'real', op, left: readOf(variable), right: term },
  });
  /** Sums and energies are first added up for the neighbor at hand. */
  const list = (body: readonly Stmt[]): Stmt[] =>
    body.map((s): Stmt => {
      if (s.kind === 'assign' && outside.has(s.variable) && activity.has(s.variable)) {
        const { op, term } = addedTerm(s)!;
        return added(total(s.variable, s.variable.id), op, term);
      }
      if ((s.kind === 'write' || s.kind === 'writeItem') && s.field === energy.of) {
        const own = s.kind === 'write';
        return added(total(own ? 'own' : 'given', energy.of), s.op === '-=' ? '-' : '+', s.value);
      }
      if (s.kind === 'writeItem' && activity.hasArray(s.field) && !arrays.has(s.field))
        arrays.set(s.field, input.array(`${s.field}_t`));
      return mapStatement(s, (e) => e, list);
    });
  const inner = list(loop.loop.body);
  const starts = [...totals.values()].map(
    (variable): Stmt => ({ kind: 'declare', variable, value: number(0) }),
  );
  const body = [...starts, ...inner];
  const tangents = new Tangents({
    body,
    name,
    helpers,
    seed: (e) => {
      if (e.kind !== 'item' || e.role !== 'n') return null;
      if (e.field === 'r2') return isVariable(e.index, counter) ? number(1) : null;
      const field = arrays.get(e.field);
      return field === undefined ? null : { ...e, field };
    },
  });
  const derived = tangents.list(body, (s) => {
    const field = s.kind === 'writeItem' ? arrays.get(s.field) : undefined;
    if (s.kind !== 'writeItem' || field === undefined) return [s];
    return [s, { ...s, field, value: tangents.tangentOf(s.value) ?? number(0) }];
  });
  const sums = new Map<Variable, string>();
  const ends: Stmt[] = [];
  for (const [key, variable] of totals) {
    const value = readOf(variable);
    const slope = tangents.tangentOf(value);
    if (key === 'own') ends.push({ kind: 'write', role: 'i', field: energy.of, op: '+=', value });
    else if (key === 'given')
      ends.push({ kind: 'writeItem', role: 'n', field: energy.of, index: at, op: '+=', value });
    else ends.push(added(key, '+', value));
    if (!slope) continue;
    const isEnergy = key === 'own' || key === 'given';
    const to = isEnergy
      ? input.slope()
      : { field: input.array(`${variable.id}_t`), op: '=' as const };
    if (!isEnergy) sums.set(key, to.field);
    ends.push({ kind: 'writeItem', role: 'n', index: at, ...to, value: slope });
  }
  const statements = statementsOf({ ...loop, loop: { ...loop.loop, body: [...derived, ...ends] } });
  return { statements, arrays, sums };
}

const readOf = (variable: Variable): Expr => ({ kind: 'variable', type: 'real', variable });
