import { describe, expect, it } from 'vitest';
import { runs } from '../../../../../test/support/runs.js';
import type { Expr, FunctorIR, RoleField, Stmt } from '../../../src/ir.js';
import { product, sum } from '../../../src/passes/derivative/algebra.js';
import { HelperTangents } from '../../../src/passes/derivative/HelperTangents.js';
import { namer } from '../../../src/passes/derivative/namer.js';
import { Tangents } from '../../../src/passes/derivative/Tangents.js';
import { tidy } from '../../../src/passes/derivative/tidy.js';
import { usedHelpers } from '../../../src/passes/withOutputs.js';
import { type Dual, runDual } from '../../support/DualNumbers.js';
import { RandomSource } from '../../support/RandomSource.js';
import {
  callDirectly,
  outputs,
  type RandomFunctor,
  randomFunctor,
  randomParams,
  randomSample,
  type Sample,
} from '../../support/randomFunctor.js';
import { runJavaScript } from '../../support/runJavaScript.js';

// Bodies of all constructs of the language are derived by the pass, and run on dual numbers: two ways to the same derivative.

const field = (role: 'i' | 'd', name: string): Expr => ({
  kind: 'field',
  type: 'real',
  role,
  field: name,
});
const number = (value: number): Expr => ({ kind: 'number', type: 'real', value });
/** The direction of the derivative: how fast each input changes. */
const speeds: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  d: { x: 1, y: -0.5, z: 0.25 },
  i: { q: 0.75, u: 0.5, v: -1, w: 2 },
  j: { q: -1.25, vx: 0.6 },
  p: { a: 0.3, b: 1 },
};
const speedOf = (role: string, name: string): number => speeds[role]?.[name] ?? 0;
const reals = ['u', 'v', 'w'] as const;
const tangentOf = (name: string) => `${name}_t`;

/** 2 d · d′ */
const squareTangent = ['x', 'y', 'z']
  .map((axis) => product(number(2 * speedOf('d', axis)), field('d', axis)))
  .reduce(sum);

/** The derivative along the speeds: outputs u_t, v_t, w_t beside u, v, w. */
function derived(ir: FunctorIR): FunctorIR {
  const helpers = new HelperTangents();
  const tangents = new Tangents({
    body: ir.body,
    name: namer([], ir.body),
    helpers,
    seed: (e) => {
      if (e.kind !== 'field') return null;
      if (e.role === 'i' && reals.includes(e.field as 'u')) return field('i', tangentOf(e.field));
      if (e.role === 'd' && e.field === 'r2') return squareTangent;
      const speed = speedOf(e.role, e.field);
      return speed === 0 ? null : number(speed);
    },
  });
  const list = tangents.list(ir.body, (s): Stmt[] => {
    if (s.kind !== 'write' || s.field === 'n') return [s];
    const value = tangents.tangentOf(s.value) ?? { kind: 'number', type: 'real', value: 0 };
    return [{ ...s, field: tangentOf(s.field), value }, s];
  });
  const body = tidy(list, []);
  const added: RoleField = { type: 'real', array: false, writable: true };
  const i = { ...ir.roles.i, ...Object.fromEntries(reals.map((name) => [tangentOf(name), added])) };
  return {
    ...ir,
    roles: { ...ir.roles, i },
    body,
    helpers: usedHelpers(body, [...ir.helpers, ...helpers.all]),
  };
}

function byDuals(ir: FunctorIR, { i, j, d }: Sample): Dual[] {
  const duals = (role: string, values: object): Record<string, Dual> =>
    Object.fromEntries(
      Object.entries(values).map(([name, v]) => [name, { v, t: speedOf(role, name) }]),
    );
  const t = ['x', 'y', 'z'].reduce((all, axis) => all + 2 * d[axis as 'x'] * speedOf('d', axis), 0);
  const { table, marks, ...numbers } = randomParams;
  const own = duals('i', i);
  const moving = { ...duals('d', d), r2: { v: d.r2, t } };
  runDual(ir, { i: own, j: duals('j', j), d: moving, p: { ...duals('p', numbers), table, marks } });
  return reals.map((name) => own[name]!);
}

/** Sums of large terms that cancel have few digits, in either way of counting. */
const isClose = (a: number, b: number): boolean =>
  Math.abs(a - b) <= 1e-7 * Math.max(1, Math.abs(a), Math.abs(b));

interface Counted {
  compared: number;
  moving: number;
}

function check(random: RandomFunctor, counted: Counted): string[] {
  const { ir } = random.functor;
  const run = runJavaScript(derived(ir!));
  const source = new RandomSource(random.seed);
  const found: string[] = [];
  for (let k = 0; k < 6; k++) {
    const sample = randomSample(source);
    const { u, v, w } = speeds.i as Record<string, number>;
    const i: Record<string, number> = { ...sample.i, u_t: u!, v_t: v!, w_t: w! };
    run({ i, j: sample.j, d: sample.d, p: randomParams as never });
    const direct = callDirectly(random, sample);
    outputs.forEach((name, n) => {
      const value = name === 'n' ? i[name]! | 0 : i[name]!;
      if (!Object.is(value, direct[n])) found.push(`${name} is ${value}, not ${direct[n]}`);
    });
    byDuals(ir!, sample).forEach(({ t }, n) => {
      if (!Number.isFinite(t) || Math.abs(t) > 1e9) return;
      const mine = i[tangentOf(reals[n]!)]!;
      counted.compared++;
      if (t !== speeds.i![reals[n]!]) counted.moving++;
      if (!isClose(mine, t)) found.push(`${reals[n]}′ is ${mine}, not ${t}`);
    });
  }
  return found;
}

const count = runs(75, 2000);

describe('derivatives of random functors', () => {
  it(`agree with dual numbers, and leave values as they were: ${count} bodies`, () => {
    const counted = { compared: 0, moving: 0 };
    for (let seed = 1; seed <= count; seed++) {
      const random = randomFunctor(seed, { kind: 'pair' });
      const found = check(random, counted);
      if (found.length > 0) expect.fail(`seed ${seed}: ${found.join('; ')}\n${random.text}`);
    }
    // Most are finite, and many depend on the input.
    expect(counted.compared).toBeGreaterThan(12 * count);
    expect(counted.moving).toBeGreaterThan(3 * count);
  });
});
