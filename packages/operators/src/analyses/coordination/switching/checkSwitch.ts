import { CorpuscleError } from '@corpuscle/core';
import { custom, variableOf } from './custom.js';
import type { SwitchOptions, SwitchType } from './SwitchOptions.js';

/** What is wrong with a switching function, and in which of its options. */
export interface SwitchProblem {
  readonly option: keyof SwitchOptions | '';
  readonly message: string;
  readonly missing?: boolean;
}

type Option = Exclude<keyof SwitchOptions, 'type' | 'd0' | 'dMax' | 'stretch'>;
const BELONGS: Readonly<Record<Option, readonly SwitchType[]>> = {
  r0: ['rational', 'exp', 'gaussian', 'smap', 'tanh', 'cosinus', 'q', 'custom'],
  nn: ['rational'],
  mm: ['rational'],
  a: ['smap'],
  b: ['smap'],
  beta: ['q'],
  lambda: ['q'],
  ref: ['q'],
  func: ['custom'],
  variable: ['custom'],
};
const REQUIRED: Readonly<Record<SwitchType, readonly (keyof SwitchOptions)[]>> = {
  rational: ['r0'],
  exp: ['r0'],
  gaussian: ['r0'],
  smap: ['r0', 'a', 'b'],
  cubic: ['dMax'],
  tanh: ['r0'],
  cosinus: ['r0'],
  q: ['r0', 'ref'],
  custom: ['r0', 'func'],
};

/** Finds the first mistake in a switching function; null when there is none. `spell` names options as the user does. */
export function checkSwitch(
  options: SwitchOptions,
  keywordForm: boolean,
  spell: (option: keyof SwitchOptions) => string = (option) => option,
): SwitchProblem | null {
  const { type, d0 = 0, dMax, nn = 6, mm: givenMm } = options;
  const problem = (option: keyof SwitchOptions, message: string): SwitchProblem => ({
    option,
    message,
  });
  for (const option of Object.keys(BELONGS) as Option[]) {
    if (options[option] === undefined || BELONGS[option].includes(type)) continue;
    const remedy =
      option === 'r0'
        ? `its ${spell('r0')} is ${spell('dMax')} − ${spell('d0')}: remove ${spell('r0')}`
        : `it belongs to ${BELONGS[option].join(', ')}: remove it`;
    return problem(option, `the switch ${type} takes no ${spell(option)}; ${remedy}`);
  }
  for (const option of REQUIRED[type]) {
    if (options[option] !== undefined) continue;
    return { option: '', message: `the switch ${type} needs ${spell(option)}`, missing: true };
  }
  for (const option of ['r0', 'ref'] as const) {
    const value = options[option];
    if (value !== undefined && !(value > 0 && Number.isFinite(value)))
      return problem(option, `${spell(option)} is ${value}: give a positive length`);
  }
  if (!(d0 >= 0 && Number.isFinite(d0)))
    return problem('d0', `${spell('d0')} is ${d0}: give a length ≥ 0`);
  if (dMax !== undefined && !(dMax > d0))
    return problem(
      'dMax',
      `${spell('dMax')} ${dMax} does not exceed ${spell('d0')} ${d0}: there would be no pair between`,
    );
  for (const option of ['nn', 'mm', 'a', 'b'] as const) {
    const value = options[option];
    if (value === undefined || (value > 0 && Number.isInteger(value) && value <= 1000)) continue;
    const remedy = option === 'mm' ? ', or leave it out for twice the upper exponent' : '';
    return problem(
      option,
      `${spell(option)} is ${value}: give a whole number from 1 to 1000${remedy}`,
    );
  }
  const mm = givenMm ?? 2 * nn;
  if (type === 'rational' && nn === mm)
    return problem(
      givenMm === undefined ? 'nn' : 'mm',
      `${spell('nn')} and ${spell('mm')} are both ${nn}: 0/0 is no switching function, give different exponents`,
    );
  for (const option of ['beta', 'lambda'] as const) {
    const value = options[option];
    if (value !== undefined && !(value > 0 && Number.isFinite(value)))
      return problem(option, `${spell(option)} is ${value}: give a positive number`);
  }
  return (
    checkFormula(options, problem) ?? (keywordForm ? checkKeywords(options, spell, problem) : null)
  );
}

type MakeProblem = (option: keyof SwitchOptions, message: string) => SwitchProblem;

function checkFormula(
  { type, func, variable }: SwitchOptions,
  problem: MakeProblem,
): SwitchProblem | null {
  if (type !== 'custom' || func === undefined) return null;
  const found = variableOf(func);
  if (variable !== undefined && found !== null && found !== variable)
    return problem('variable', `variable is ${variable}, but the formula speaks of ${found}`);
  try {
    custom(func, variable ?? found ?? 'x');
  } catch (error) {
    if (!(error instanceof CorpuscleError)) throw error;
    return problem('func', error.message);
  }
  return null;
}

function checkKeywords(
  { type, dMax, stretch }: SwitchOptions,
  spell: (option: keyof SwitchOptions) => string,
  problem: MakeProblem,
): SwitchProblem | null {
  if (type !== 'rational')
    return problem(
      'type',
      `the keyword form is of type rational, not ${type}: remove keyword_form`,
    );
  if (dMax !== undefined)
    return problem(
      'dMax',
      `the keyword form chooses ${spell('dMax')} by itself: remove it, or keyword_form`,
    );
  if (stretch === false)
    return problem('stretch', 'the keyword form is always stretched: remove stretch');
  return null;
}
