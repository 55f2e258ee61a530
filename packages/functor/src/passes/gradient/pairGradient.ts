import type { Expr, FunctorIR, Stmt } from '../../ir.js';
import type { DerivedSchema, GradientSchema } from '../../schema.js';
import { number, product } from '../derivative/algebra.js';
import { HelperTangents } from '../derivative/HelperTangents.js';
import { namer } from '../derivative/namer.js';
import { type Namer, Tangents } from '../derivative/Tangents.js';
import { tidy } from '../derivative/tidy.js';
import { forEachExpression } from '../walk.js';
import { usedHelpers } from '../withOutputs.js';
import { checkEnergy } from './checkEnergy.js';
import type { Fail } from './Fail.js';
import { virialComponents } from './virialComponents.js';

const axes = ['x', 'y', 'z'] as const;

/**
 * Adds the forces that follow from the energy of a functor of pairs. The energy e is the particle's half, so that the force on it
 * is −2 ∂e/∂d. Where e depends on r² alone that is one factor:
 *
 *   const r = √r²; i.ep += ½ u(r);   →   …; const force = −4 ∂e/∂r²; i.fx += force d.x; i.fy += force d.y; i.fz += force d.z
 *
 * Where it looks at d.x, d.y or d.z the three components are derived one by one.
 *
 * @throws CorpuscleError FUNCTOR_UNSUPPORTED at what cannot be derived
 */
export function pairGradient(ir: FunctorIR, gradient: GradientSchema, fail: Fail): FunctorIR {
  const name = namer([], ir.body);
  const helpers = new HelperTangents();
  const any = { x: number(1), y: number(1), z: number(1), r2: number(1) };
  const changes = tangentsOf(ir.body, any, namer([], ir.body), new HelperTangents());
  checkEnergy(ir.body, gradient, (value) => changes.tangentOf(value) !== null, fail);
  const body = looksAtDirection(ir)
    ? axes.reduce((before, _, axis) => derivedAlong(before, axis), ir.body)
    : derivedByDistance(ir.body);
  const tidied = tidy(body, []);
  return { ...ir, body: tidied, helpers: usedHelpers(tidied, [...ir.helpers, ...helpers.all]) };

  function derivedByDistance(before: readonly Stmt[]): Stmt[] {
    const seeds = { r2: number(1) };
    return derive(before, seeds, (op, slope) => {
      const force = name('force');
      const value = product(number(-4), slope);
      const read: Expr = { kind: 'variable', type: 'real', variable: force };
      const along = gradient.into.map((field, k): Stmt => {
        return { kind: 'write', role: 'i', field, op, value: times(read, ofD(axes[k]!)) };
      });
      return [{ kind: 'declare', variable: force, value }, ...along];
    });
  }

  function derivedAlong(before: readonly Stmt[], axis: number): readonly Stmt[] {
    const d = ofD(axes[axis]!);
    const seeds = { [axes[axis]!]: number(1), r2: product(number(2), d) };
    const field = gradient.into[axis]!;
    return derive(before, seeds, (op, slope) => [
      { kind: 'write', role: 'i', field, op, value: product(number(-2), slope) },
    ]);
  }

  /** The body with what follows from each term of the energy. @param seeds what components of d change by */
  function derive(
    before: readonly Stmt[],
    seeds: Readonly<Record<string, Expr>>,
    forces: (op: Write['op'], slope: Expr) => readonly Stmt[],
  ): Stmt[] {
    const tangents = tangentsOf(before, seeds, name, helpers);
    return tangents.list(before, (s) => {
      if (s.kind !== 'write' || s.field !== gradient.of) return [s];
      const slope = tangents.tangentOf(s.value);
      return slope ? [s, ...forces(s.op, slope)] : [s];
    });
  }
}

type Write = Extract<Stmt, { kind: 'write' }>;

const tangentsOf = (
  body: readonly Stmt[],
  seeds: Readonly<Record<string, Expr>>,
  name: Namer,
  helpers: HelperTangents,
): Tangents => {
  const seed = (e: Expr) =>
    e.kind === 'field' && e.role === 'd' ? (seeds[e.field] ?? null) : null;
  return new Tangents({ body, name, helpers, seed });
};

const ofD = (field: string): Expr => ({ kind: 'field', type: 'real', role: 'd', field });

/** A product in this order, which back ends know as a central force. */
const times = (left: Expr, right: Expr): Expr => ({
  kind: 'binary',
  type: 'real',
  op: '*',
  left,
  right,
});

function looksAtDirection({ body }: FunctorIR): boolean {
  let found = false;
  forEachExpression(body, (e) => {
    found ||= e.kind === 'field' && e.role === 'd' && axes.some((axis) => axis === e.field);
  });
  return found;
}

/** A particle's share of the virial, half of each pair's d_a F_b, as outputs that follow from the forces. */
export function virialsOf({ into, virial }: GradientSchema): DerivedSchema {
  return Object.fromEntries(
    (virial ?? []).map((name, k) => {
      const [along, force] = virialComponents[k]!;
      return [name, { of: into[force]!, along: axes[along]!, factor: 0.5 }];
    }),
  );
}
