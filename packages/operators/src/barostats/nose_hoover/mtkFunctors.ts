import { type ValueFunctor, valueFunctor, withFunctionText } from '@corpuscle/patterns';
import type { BarostatCoupling } from '../../box/coupling.js';
import { boxValues } from '../../box/RunBox.js';
import { clockHelpers } from '../../thermostats/clock.js';
import {
  type ChainNames,
  type ChainOptions,
  chainStatements,
  linksOf,
} from '../../thermostats/nose_hoover/chainFunctor.js';
import { growthHelpers } from '../growth.js';
import { advanceBox, pressFactors, waysIn } from './advanceBox.js';
import { pushRates } from './pushRates.js';
import { axes, drivenIn, freedomOf, lengthsIn, measuredIn, shears } from './strainRates.js';

/** Links of a chain, and the weights of the parts of half a step (`chainWeights`). */
export type MtkChain = Pick<ChainOptions, 'length' | 'weights'>;

/** What the functors of a run depend on. */
export interface MtkKind {
  readonly coupling: BarostatCoupling;
  /** Whether lengths change in a box that leans and keeps the directions of its vectors (`keepsDirections`). */
  readonly isLeaning: boolean;
  /** Whether there is a thermostat; without it the run is NPH. */
  readonly isHot: boolean;
  /** The chain of the particles, and that of the box. */
  readonly chain: MtkChain;
  readonly boxChain: MtkChain;
  /** Whether box and chains take several steps as one. */
  readonly isLong: boolean;
  /** Whether each length has a pressure of its own. */
  readonly isSplit: boolean;
}

const reals = <const N extends string>(...names: N[]) =>
  Object.fromEntries(names.map((name) => [name, 'real'])) as { readonly [K in N]: 'real' };

/** Σ m v_a v_b as the meter leaves it. */
const kinetic = reals('kxx', 'kyy', 'kzz', 'kxy', 'kxz', 'kyz');
/** Σ d_a F_b of the new forces, and as it was kept for the first half of the next step. */
const virial = reals('vxx', 'vyy', 'vzz', 'vxy', 'vxz', 'vyz');
const kept = reals('uxx', 'uyy', 'uzz', 'uxy', 'uxz', 'uyz');

/** Numbers of the barostat besides the rates of its chains. */
const own = {
  ...kept,
  // Strain rates ω of the box.
  ...reals('oxx', 'oyy', 'ozz', 'oxy', 'oxz', 'oyz'),
  // The target of the step, and that of the step before.
  ...reals('low', 'high', 'kT', 'kTBefore', 'heat', 'bath'),
  // What `moveInBox` and `kickInBox` take: velocities, and the second half of the box. After a step velocities are scaled by
  // another number, so that both halves may be computed at once.
  ...reals('scale', 'scaleLast', 'gx', 'gy', 'gz', 'sxy', 'sxz', 'syz'),
  ...reals('axx', 'ayy', 'azz', 'ayx', 'azx', 'azy'),
} as const;

/** First numbers of a barostat, without those of its chains. */
export const mtkStart = Object.fromEntries(
  Object.keys(own).map((name) => [name, /^(scale|g[xyz])/.test(name) ? 1 : 0]),
) as Record<keyof typeof own, number>;

/** Names of the rates of both chains. */
export const mtkRates = ({ chain, boxChain }: Pick<MtkKind, 'chain' | 'boxChain'>): string[] => [
  ...linksOf(chain.length),
  ...linksOf(boxChain.length, 'boxRate'),
];

/** Constants of a run; `dt` is that of `every` steps, `c` is the point that stays, `q` the way from it to the origin of the box without growth. */
const params = {
  ...reals('dt', 'every', 'tau', 'massKT', 'tauPressure', 'count', 'degrees', 'volume'),
  ...reals('kT0', 'kT1', 'pressure0', 'pressure1', 'firstLow', 'firstHigh', 'steps'),
  ...reals('cx', 'cy', 'cz', 'qx', 'qy', 'qz'),
} as const;

/** Where each length has a pressure of its own: ends of ramps, the first box, and how lengths had grown before they were counted. */
const split = {
  ...reals('px0', 'px1', 'py0', 'py1', 'pz0', 'pz1', 'volume0', 'tyx0', 'tzx0', 'tzy0'),
  ...reals('sx', 'sy', 'sz'),
} as const;

export type MtkParams = Readonly<Record<keyof typeof params, number>> &
  Readonly<Partial<Record<keyof typeof split, number>>>;

const helpers = { ...clockHelpers, ...growthHelpers };

const particles: ChainNames = {
  rate: 'v.rate',
  twice: 'twice',
  scale: 'scale',
  heat: 'v.heat',
  first: 'heatMass',
  perFirst: 'perHeatMass',
  perOther: 'perOtherMass',
  other: 'otherMass',
  degrees: 'p.degrees',
  kT: 'v.kT',
};

/**
 * In a ramp the chain of the box sees the target of a step in its second half only, and the first forces on its later links are
 * those that the first half left, as in LAMMPS.
 */
const box = (coupling: MtkKind['coupling'], earlierKT: string): ChainNames => ({
  rate: 'v.boxRate',
  twice: 'boxTwice',
  scale: 'boxScale',
  heat: 'v.heat',
  first: 'chainMass',
  perFirst: 'perChainMass',
  perOther: 'perChainMass',
  other: 'chainMass',
  degrees: String(freedomOf(coupling)),
  kT: 'v.kT',
  earlierKT,
});

/** Masses, and what both halves of a step declare. */
const declared = `
const dt = p.dt;
const chainMass = p.massKT * p.tauPressure * p.tauPressure;
const perChainMass = 1 / chainMass;
const mass = (p.count + 1) * chainMass;
let damp = 1.0;
let factor = 1.0;
let scale = 1.0;
let boxScale = 1.0;
let boxTwice = 0.0;
let twice = 0.0;
let otherMass = 0.0;
let heatMass = 0.0;
let perOtherMass = 0.0;
let perHeatMass = 0.0;`;

/** The chain of the box, half a step; strain rates follow. */
function halfOfBoxChain({ coupling, boxChain }: MtkKind, earlierKT: string): string {
  const squares = drivenIn(coupling).map((a) => `v.o${a} * v.o${a}`);
  return `
boxTwice = mass * (${squares.join(' + ')});
${chainStatements(boxChain, box(coupling, earlierKT))}
${drivenIn(coupling)
  .map((a) => `v.o${a} *= boxScale;`)
  .join('\n')}`;
}

/** The trace of the kinetic tensor. */
const kineticTrace = (coupling: MtkKind['coupling']): string =>
  coupling === 'iso' ? 'v.kxx' : 'v.kxx + v.kyy + v.kzz';

/** The chain of the particles, half a step: `scale` is the factor of their velocities. */
const halfOfChain = ({ coupling, isHot, chain }: MtkKind): string =>
  isHot
    ? `
otherMass = v.kT * p.tau * p.tau;
heatMass = p.degrees * otherMass;
perOtherMass = 1 / otherMass;
perHeatMass = 1 / heatMass;
twice = ${kineticTrace(coupling)};
${chainStatements(chain, particles)}`
    : '';

/** Half a step of the box after the drift, and how the way of the drift follows it. */
const boxAfterDrift = (kind: MtkKind): string => `
${advanceBox(kind, 2)}
${waysIn(kind)
  .map(([way, of]) => `v.a${way} = d${of}2;`)
  .join('\n')}`;

/**
 * First half of a step: chains, strain rates, half a step of the box before the drift and half a step after it, and what velocities and
 * positions need. Of several steps as one, the second half belongs to the last: see `lastText`.
 */
const firstText = (kind: MtkKind): string => `${declared}
const [low, high] = h.tick(v.low, v.high, p.every);
v.low = low;
v.high = high;
${halfOfBoxChain(kind, 'v.kT')}
v.kTBefore = v.kT;
${kind.isHot ? 'v.kT = h.ramp(low, high, p.kT0, p.kT1, p.firstLow, p.firstHigh, p.steps);' : ''}
${halfOfChain(kind)}
const square = scale * scale;
${pushRates(kind, 'square')}
${advanceBox(kind, 1)}
${
  kind.isLong
    ? waysIn(kind)
        .map(([way]) => `v.a${way} = 0.0;`)
        .join('\n')
    : boxAfterDrift(kind)
}
v.scale = scale;
const share = (${lengthsIn(kind.coupling)
  .map((a) => `v.o${a}`)
  .join(' + ')}) / (${lengthsIn(kind.coupling).length} * p.count);
${pressFactors(kind.coupling)}`;

/** Before the drift of the last of several steps that are one. */
const lastText = (kind: MtkKind): string => `
const dt = p.dt;${boxAfterDrift(kind)}`;

/** Second half, after the kick: strain rates, chains, and what the bath holds. */
function secondText(kind: MtkKind): string {
  const ofHeat = linksOf(kind.chain.length).map(
    (rate, k) => `${k === 0 ? 'heatMass' : 'otherMass'} * v.${rate} * v.${rate}`,
  );
  const boxRates = linksOf(kind.boxChain.length, 'boxRate');
  const ofBox = boxRates.map((rate) => `chainMass * v.${rate} * v.${rate}`);
  const ofRates = drivenIn(kind.coupling).map((a) => `mass * v.o${a} * v.o${a}`);
  const ofShape = lengthsIn(kind.coupling).map((a) => `beside${a[0]}`);
  const squares = [
    ...(kind.isHot ? ofHeat : []),
    ...ofBox,
    ...ofRates,
    ...(kind.isSplit ? ofShape : []),
  ];
  const read = kind.coupling === 'triclinic' ? [...axes, ...shears] : axes;
  return `${declared}
${read.map((a) => `v.u${a} = v.v${a};`).join('\n')}
${pushRates(kind, '1')}
${halfOfChain(kind)}
${halfOfBoxChain(kind, 'v.kTBefore')}
v.scaleLast = scale;
${measuredIn(kind.coupling)
  .map((a) => `v.k${a} *= scale * scale;`)
  .join('\n')}
v.bath = v.heat + 0.5 * (${squares.join(' + ')}) + target + all / (${lengthsIn(kind.coupling).length} * p.count);`;
}

type First = ValueFunctor<typeof kinetic & typeof own & typeof boxValues, typeof params>;
type Second = ValueFunctor<
  typeof kinetic & typeof virial & typeof own & typeof boxValues,
  typeof params
>;

/** The functors of one kind of run. */
export interface MtkFunctors {
  readonly first: First;
  readonly second: Second;
  /** Before the drift of the last step where several are one. */
  readonly last: First;
}

const known = new Map<string, MtkFunctors>();

/**
 * Constant pressure, and temperature, by the equations of Martyna, Tobias and Klein (J. Chem. Phys. 101, 4177 (1994)), in the
 * splitting of `fix npt` and `fix nph` of LAMMPS, as functors of values:
 *
 *   first   chain of the box ½, chain of the particles ½, ω ½, v by ω ½, v by forces ½, box ½, r by v, box ½
 *   second  v by forces ½, v by ω ½, ω ½, chain of the particles ½, chain of the box ½
 *
 * With `every` n, a bath acts at the ends of n steps, and the box moves before the drift of the first and after that of the last:
 *
 *   first   chains ½, ω ½, v by ω ½  │  v by forces ½, box ½, r by v │ … │ r by v, box ½, v by forces ½  │  v by ω ½, ω ½, chains ½
 *
 * ḣ = ω h for lengths, and for tilts as in LAMMPS, where a lies along x and b in the xy plane. Functors are made once.
 */
export function mtkFunctors(kind: MtkKind): MtkFunctors {
  const key = JSON.stringify(kind);
  const made = known.get(key) ?? makeFunctors(kind);
  known.set(key, made);
  return made;
}

function makeFunctors(kind: MtkKind): MtkFunctors {
  const rates = reals(...mtkRates(kind));
  const make = (name: string, values: object, statements: string) => {
    const text = `(v, p, h) => {${statements}\n}`;
    // Kernels are compiled from the text: a page that may not evaluate it needs no more.
    let evaluated: ((...roles: unknown[]) => void) | undefined;
    const direct = (...roles: unknown[]): void => {
      evaluated ??= new Function(`"use strict"; return ${text};`)() as typeof direct;
      evaluated(...roles);
    };
    // Each value is read and written in every step: those that a coupling has no use for are left out.
    const used = Object.entries({ ...values, ...rates }).filter(([value]) =>
      new RegExp(`\\bv\\.${value}\\b`).test(statements),
    );
    const own = kind.isSplit ? { ...params, ...split } : params;
    const spec = { name, values: Object.fromEntries(used), params: own, helpers };
    return valueFunctor(spec as never, withFunctionText(direct, text));
  };
  const all = { ...kinetic, ...own, ...boxValues };
  return {
    first: make('mtk_first', all, firstText(kind)) as unknown as First,
    second: make('mtk_second', { ...all, ...virial }, secondText(kind)) as unknown as Second,
    last: make('mtk_last', all, lastText(kind)) as unknown as First,
  };
}
