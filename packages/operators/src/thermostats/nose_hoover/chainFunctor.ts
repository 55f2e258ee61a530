import {
  type ValueFunctor,
  type ValueNames,
  valueFunctor,
  withFunctionText,
} from '@corpuscle/patterns';
import { clockHelpers, clockValues, rampParams } from '../clock.js';
import { scalingValues } from '../kineticEnergy.js';

/** A chain, and how finely half a step of it is taken. */
export interface ChainOptions {
  /** Links of the chain. */
  readonly length: number;
  /** Weights of the parts of half a step, by Suzuki and Yoshida; their sum is 1. */
  readonly weights: readonly number[];
  /** The value with the factor of the velocities. Default `scale`. */
  readonly scale?: string;
}

/** Weights of orders 2, 4 and 6 (Suzuki 1990; Yoshida, Phys. Lett. A 150, 262 (1990)). */
const weightsOfOrder: Readonly<Record<number, readonly number[]>> = {
  2: [1],
  4: [1.3512071919596578, -1.7024143839193153, 1.3512071919596578],
  6: [
    0.78451361047756, 0.235573213359357, -1.17767998417887, 1.3151863206839, -1.17767998417887,
    0.235573213359357, 0.78451361047756,
  ],
};

/** Weights of half a step that is taken in some equal parts, each to an order of 2, 4 or 6. */
export function chainWeights(parts: number, order: number): number[] {
  const weights = weightsOfOrder[order]!;
  return Array.from({ length: parts }, () => weights.map((weight) => weight / parts)).flat();
}

/** Names of the rates of a chain, dη/dt. */
export const linksOf = (length: number, name = 'rate'): string[] =>
  Array.from({ length }, (_, k) => `${name}${k}`);

/** What the statements of a chain call the numbers that they use and change. */
export interface ChainNames {
  /** Begins the names of its rates. */
  readonly rate: string;
  /** Twice the kinetic energy that the chain controls, and the factor of its velocities, the product of all parts. */
  readonly twice: string;
  readonly scale: string;
  /** Energy that the variables η hold. */
  readonly heat: string;
  /** Mass of the first link, and one through the masses of it and of the others. */
  readonly first: string;
  readonly perFirst: string;
  readonly perOther: string;
  /** Mass of the others. */
  readonly other: string;
  /** Degrees of freedom, for the target with kT. */
  readonly degrees: string;
  readonly kT: string;
  /** kT in the first forces on all links but the first. Default: `kT`. */
  readonly earlierKT?: string;
}

const ofParticles: ChainNames = {
  rate: 'v.rate',
  twice: 'v.twice',
  scale: 'v.scale',
  heat: 'v.heat',
  first: 'q0',
  perFirst: 'perQ0',
  perOther: 'perQ',
  other: 'q',
  degrees: 'degrees',
  kT: 'v.kT',
};

/**
 * Statements that take a chain of thermostats half a step further (Martyna, Tuckerman, Tobias and Klein, Mol. Phys. 87, 1117
 * (1996); Tuckerman, Statistical Mechanics, section 4.11). They use `dt`, and change `damp` and `factor`.
 */
export function chainStatements(
  { length, weights, scale: factorOf = 'scale' }: ChainOptions,
  names: ChainNames = { ...ofParticles, scale: `v.${factorOf}` },
): string {
  const { rate, twice, scale, heat, first, other, degrees, kT, earlierKT = kT } = names;
  const { perFirst, perOther } = names;
  const lines: string[] = [];
  const last = length - 1;
  const push = (k: number, weight: number, linkKT = kT) => {
    const a = `${weight / 4} * dt`;
    const damp = k < last ? `Math.exp(${-weight / 8} * dt * ${rate}${k + 1})` : '1';
    const mass = k === 1 ? first : other;
    const force =
      k === 0
        ? `${perFirst} * (${twice} - ${degrees} * ${kT})`
        : `${perOther} * (${mass} * ${rate}${k - 1} * ${rate}${k - 1} - ${linkKT})`;
    lines.push(`damp = ${damp};`);
    lines.push(`${rate}${k} = damp * (damp * ${rate}${k} + ${a} * ${force});`);
  };
  for (const [part, weight] of weights.entries()) {
    for (let k = last; k >= 0; k--) push(k, weight, part === 0 ? earlierKT : kT);
    lines.push(`factor = Math.exp(${-weight / 2} * dt * ${rate}0);`);
    lines.push(`${scale} *= factor;`, `${twice} *= factor * factor;`);
    const others = Array.from({ length: last }, (_, k) => ` + ${kT} * ${rate}${k + 1}`);
    lines.push(
      `${heat} += ${weight / 2} * dt * (${degrees} * ${kT} * ${rate}0${others.join('')});`,
    );
    for (let k = 0; k <= last; k++) push(k, weight);
  }
  return lines.join('\n');
}

type ChainValues = ValueNames & typeof scalingValues & typeof clockValues & { heat: 'real' };
const params = { ...rampParams, dt: 'real', tau: 'real', removed: 'real', by: 'real' } as const;

const known = new Map<string, ValueFunctor<ChainValues, typeof params>>();

/** Half a step of a chain for the kinetic energy of particles, as a functor of values. Functors are made once. */
export function chainFunctor(options: ChainOptions): ValueFunctor<ChainValues, typeof params> {
  const { length, weights, scale } = options;
  const key = `${length} ${weights.join(' ')} ${scale}`;
  const made = known.get(key) ?? makeFunctor(options);
  known.set(key, made);
  return made;
}

function makeFunctor(options: ChainOptions): ValueFunctor<ChainValues, typeof params> {
  const rates = Object.fromEntries(linksOf(options.length).map((name) => [name, 'real'] as const));
  const { scale = 'scale' } = options;
  const values: ChainValues = {
    ...clockValues,
    ...scalingValues,
    [scale]: 'real',
    heat: 'real',
    ...rates,
  };
  const energies = linksOf(options.length).map(
    (name, k) => `${k === 0 ? 'q0' : 'q'} * v.${name} * v.${name}`,
  );
  const text = `(v, p, h) => {
const [low, high] = h.tick(v.low, v.high, p.by);
v.low = low;
v.high = high;
v.kT = h.ramp(low, high, p.kT0, p.kT1, p.firstLow, p.firstHigh, p.steps);
const dt = p.dt;
const degrees = 3 * v.count - p.removed;
const q = v.kT * p.tau * p.tau;
const q0 = degrees * q;
const perQ = 1 / q;
const perQ0 = q0 > 0 ? 1 / q0 : 0;
let damp = 1.0;
let factor = 1.0;
v.${scale} = 1;
${chainStatements(options)}
v.bath = v.heat + 0.5 * (${energies.join(' + ')});
}`;
  const direct = (v: Numbers, p: Numbers): void => {
    const [low, high] = clockHelpers.tick(v.low!, v.high!, p.by!);
    v.low = low!;
    v.high = high!;
    v.kT = clockHelpers.ramp(low!, high!, p.kT0!, p.kT1!, p.firstLow!, p.firstHigh!, p.steps!);
    advanceChain(v, p, options);
  };
  return valueFunctor(
    { name: 'nose_hoover_chain', values, params, helpers: clockHelpers },
    withFunctionText(direct as never, text),
  );
}

type Numbers = Record<string, number>;

/** What the statements do, for a host that calls the functor directly. */
function advanceChain(
  v: Numbers,
  p: Numbers,
  { length, weights, scale = 'scale' }: ChainOptions,
): void {
  const dt = p.dt!;
  const degrees = 3 * v.count! - p.removed!;
  const q = v.kT! * p.tau! * p.tau!;
  const q0 = degrees * q;
  const mass = (k: number) => (k === 0 ? q0 : q);
  const perQ = 1 / q;
  const perQ0 = q0 > 0 ? 1 / q0 : 0;
  const names = linksOf(length);
  const push = (k: number, weight: number) => {
    const damp = k < length - 1 ? Math.exp((-weight / 8) * dt * v[names[k + 1]!]!) : 1;
    const force =
      k === 0
        ? v.twice! - degrees * v.kT!
        : mass(k - 1) * v[names[k - 1]!]! * v[names[k - 1]!]! - v.kT!;
    const perMass = k === 0 ? perQ0 : perQ;
    v[names[k]!] = damp * (damp * v[names[k]!]! + (weight / 4) * dt * perMass * force);
  };
  v[scale] = 1;
  for (const weight of weights) {
    for (let k = length - 1; k >= 0; k--) push(k, weight);
    const factor = Math.exp((-weight / 2) * dt * v.rate0!);
    v[scale]! *= factor;
    v.twice! *= factor * factor;
    let rates = degrees * v.rate0!;
    for (const name of names.slice(1)) rates += v[name]!;
    v.heat! += (weight / 2) * dt * v.kT! * rates;
    for (let k = 0; k < length; k++) push(k, weight);
  }
  v.bath = v.heat! + 0.5 * names.reduce((sum, name, k) => sum + mass(k) * v[name]! * v[name]!, 0);
}
