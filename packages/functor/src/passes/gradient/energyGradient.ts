import type { Expr, FunctorIR, RoleField, Stmt, Variable } from '../../ir.js';
import type { GradientSchema } from '../../schema.js';
import { number, product, sum } from '../derivative/algebra.js';
import { HelperTangents } from '../derivative/HelperTangents.js';
import { namer } from '../derivative/namer.js';
import { shareCommon } from '../derivative/shareCommon.js';
import type { Namer } from '../derivative/Tangents.js';
import { dropUnused, usedHelpers } from '../withOutputs.js';
import { Activity } from './Activity.js';
import { checkEnergy } from './checkEnergy.js';
import type { Fail } from './Fail.js';
import { completeLoop, itemsOf, type Loop } from './Loop.js';
import { Reversal } from './Reversal.js';
import { type RadialLoop, radialLoop } from './radialLoop.js';
import { reciprocals } from './reciprocals.js';
import { singleAssignments } from './singleAssignments.js';
import { straighten } from './straighten.js';
import { virialComponents } from './virialComponents.js';

/**
 * Adds the forces that follow from the energy of a functor of whole neighborhoods, and their virials. With d = r_i − r_k and
 * g = ∂E/∂d of everything that is added to the energy,
 *
 *   force on k += g,  force on i −= g,  virial −= d g
 *
 *   values ──►  loops over neighbors, those that know r² only with derivatives by it
 *   adjoints ◄── loops that look at several neighbors, entered again; they add up ∂E/∂d and ∂E/∂r²
 *   forces      one loop over all neighbors
 *
 * @throws CorpuscleError FUNCTOR_UNSUPPORTED at what cannot be derived
 */
export function energyGradient(ir: FunctorIR, gradient: GradientSchema, fail: Fail): FunctorIR {
  return new Gradient(ir, gradient, fail).derive();
}

class Gradient {
  readonly #name: Namer;
  readonly #helpers = new HelperTangents();
  readonly #arrays: Record<string, RoleField> = {};
  /** Arrays of the buffer, and those of their adjoints. */
  readonly #adjoints = new Map<string, string>();
  /** Those of them that a loop over all neighbors has started. */
  readonly #started = new Set<string>();
  readonly #radial: RadialLoop[] = [];
  readonly #sums: { readonly field: string; readonly adjoint: Expr }[] = [];

  constructor(
    readonly ir: FunctorIR,
    readonly gradient: GradientSchema,
    readonly fail: Fail,
  ) {
    this.#name = namer([], ir.body);
  }

  derive(): FunctorIR {
    const { ir } = this;
    const body = this.#prepared();
    const activity = new Activity(body, ir.roles);
    checkEnergy(body, this.gradient, (value) => activity.of(value), this.fail);
    const loops = this.#radialLoops(body, activity);
    const reversal = new Reversal({
      activity,
      energy: this.gradient,
      name: this.#name,
      helpers: this.#helpers,
      fail: this.fail,
      adjointArray: (field) => this.#adjoint(field),
      adjointItem: (e, adjoint) => this.#adjointItem(e, adjoint),
      forward: ({ loop }) => loops.get(loop)?.statements ?? null,
      onSum: (variable, adjoint) => {
        for (const { sums } of this.#radial) {
          const field = sums.get(variable);
          if (field !== undefined) this.#sums.push({ field, adjoint });
        }
      },
    });
    const { forward, backward } = reversal.sweeps(body, null, () => false);
    const forces = this.#forces();
    const all = [...this.#zeros(), ...forward, ...backward, ...forces];
    const name = namer([], all);
    const shared = shareCommon(dropUnused(all), name);
    const tidied = dropUnused(shareCommon(reciprocals(shared), name));
    const n = { ...ir.roles.n, ...this.#arrays };
    return {
      ...ir,
      roles: { ...ir.roles, n },
      body: tidied,
      helpers: usedHelpers(tidied, [...ir.helpers, ...this.#helpers.all]),
    };
  }

  /** Without jumps, each value in a variable of its own, and what occurs twice computed once. */
  #prepared(): Stmt[] {
    const straight = straighten(this.ir.body, this.fail);
    const before = new Activity(straight, this.ir.roles);
    const isWhole = (loop: Loop) => before.isRadial(loop, this.gradient);
    return shareCommon(singleAssignments(straight, this.#name, this.fail, isWhole), this.#name);
  }

  /** The loops that are derived forward, with what they become. */
  #radialLoops(body: readonly Stmt[], activity: Activity): Map<Loop['loop'], RadialLoop> {
    const found = new Map<Loop['loop'], RadialLoop>();
    for (const item of itemsOf(body, this.fail)) {
      if (item.kind !== 'for' || !activity.isRadial(item, this.gradient)) continue;
      const made = radialLoop(item, {
        activity,
        energy: this.gradient,
        name: this.#name,
        helpers: this.#helpers,
        array: (base) => this.#array(base),
        slope: () => {
          const field = this.#adjoint('r2');
          const op = this.#started.has(field) ? '+=' : '=';
          this.#started.add(field);
          return { field, op };
        },
      });
      found.set(item.loop, made);
      this.#radial.push(made);
    }
    return found;
  }

  /** The adjoints of an array, which start as 0. */
  #adjoint(field: string): string {
    const present = this.#adjoints.get(field);
    if (present !== undefined) return present;
    const made = this.#array(`${field}_adj`);
    this.#adjoints.set(field, made);
    return made;
  }

  /** What depends on r² alone hands its adjoint on at once. */
  #adjointItem(e: Extract<Expr, { kind: 'item' }>, adjoint: Expr) {
    for (const { arrays } of this.#radial) {
      const tangent = arrays.get(e.field);
      if (tangent === undefined) continue;
      return { field: this.#adjoint('r2'), value: product(adjoint, { ...e, field: tangent }) };
    }
    return { field: this.#adjoint(e.field), value: adjoint };
  }

  #array(base: string): string {
    const taken = { ...this.ir.roles.n, ...this.#arrays };
    let field = base;
    for (let k = 2; field in taken; k++) field = `${base}${k}`;
    this.#arrays[field] = { type: 'real', array: true, writable: true };
    return field;
  }

  #zeros(): Stmt[] {
    const counter = this.#counter();
    const index = readOf(counter);
    const unset = [...this.#adjoints.values()].filter((field) => !this.#started.has(field));
    if (unset.length === 0) return [];
    const writes = unset.map(
      (field): Stmt => ({ kind: 'writeItem', role: 'n', field, index, op: '=', value: number(0) }),
    );
    return completeLoop(counter, writes);
  }

  /** ∂E/∂d of each neighbor is complete: forces and virials. */
  #forces(): Stmt[] {
    const counter = this.#counter();
    const index = readOf(counter);
    const item = (field: string): Expr => ({ kind: 'item', type: 'real', role: 'n', field, index });
    const declared = (base: string, value: Expr): [Stmt, Expr] => {
      const variable = this.#name(base);
      return [{ kind: 'declare', variable, value }, readOf(variable)];
    };
    const own = this.#adjoints.get('r2');
    const slopes = own ? [item(own)] : [];
    for (const { field, adjoint } of this.#sums) slopes.push(product(adjoint, item(field)));
    // r² = x² + y² + z²
    const body: Stmt[] = [];
    let twice: Expr | null = null;
    if (slopes.length > 0) {
      const [made, slope] = declared('slope', product(number(2), slopes.reduce(sum)));
      body.push(made);
      twice = slope;
    }
    const components = ['dx', 'dy', 'dz'].map((field, k) => {
      const [read, d] = declared(field, item(field));
      const direct = this.#adjoints.get(field);
      const parts = [...(twice ? [product(twice, d)] : []), ...(direct ? [item(direct)] : [])];
      const [made, g] = declared(`g${field}`, parts.length > 0 ? parts.reduce(sum) : number(0));
      const output = this.gradient.into[k]!;
      body.push(read, made);
      body.push({ kind: 'writeItem', role: 'n', field: output, index, op: '+=', value: g });
      body.push({ kind: 'write', role: 'i', field: output, op: '-=', value: g });
      return { d, g };
    });
    this.gradient.virial?.forEach((field, k) => {
      const [along, force] = virialComponents[k]!;
      const value = product(components[along]!.d, components[force]!.g);
      body.push({ kind: 'write', role: 'i', field, op: '-=', value });
    });
    return completeLoop(counter, body);
  }

  #counter(): Variable {
    return { ...this.#name('k'), type: 'u32' };
  }
}

const readOf = (variable: Variable): Expr => ({ kind: 'variable', type: variable.type, variable });
