import { dimensions } from '@corpuscle/core';
import { type SwitchOptions, type SwitchType, switchTypes } from './switching/SwitchOptions.js';

const length = { type: 'quantity', dimension: dimensions.length } as const;

/** A switching function in YAML. */
export const switchSlot = {
  type: 'map',
  entries: {
    type: { type: 'enum', values: switchTypes, default: 'rational', doc: 'the function' },
    r_0: { ...length, above: 0, doc: 'length scale; not for cubic' },
    d_0: { ...length, min: 0, doc: 'up to here s is 1; default 0' },
    d_max: { ...length, doc: 'beyond it s is 0; default: no end' },
    stretch: { type: 'boolean', doc: 'stretch s to 1 … 0 between 0 and d_max; default true' },
    nn: { type: 'integer', doc: 'rational: upper exponent; default 6' },
    mm: { type: 'integer', doc: 'rational: lower exponent; default 2 nn' },
    a: { type: 'integer', doc: 'smap' },
    b: { type: 'integer', doc: 'smap' },
    beta: {
      type: 'quantity',
      dimension: dimensions.inverseLength,
      doc: 'q: steepness; default 50',
    },
    lambda: { type: 'number', doc: 'q: factor of ref; default 1.8' },
    ref: { ...length, above: 0, doc: 'q: reference distance' },
    func: { type: 'string', doc: 'custom: a formula of x = (r − d_0)/r_0, or of x2 = (r/r_0)²' },
    variable: {
      type: 'enum',
      values: ['x', 'x2'],
      doc: 'custom: the variable; default: as in func',
    },
  },
} as const;

type SameInYaml = Omit<SwitchOptions, 'type' | 'r0' | 'd0' | 'dMax' | 'variable'>;

/** Values of `switchSlot`. */
export interface SwitchSlots extends SameInYaml {
  readonly type: string;
  readonly r_0?: number;
  readonly d_0?: number;
  readonly d_max?: number;
  readonly variable?: string;
}

export function switchOptions({ r_0, d_0, d_max, ...rest }: SwitchSlots): SwitchOptions {
  return {
    ...rest,
    type: rest.type as SwitchType,
    variable: rest.variable as SwitchOptions['variable'],
    r0: r_0,
    d0: d_0,
    dMax: d_max,
  };
}

const SPELLINGS: Readonly<Partial<Record<keyof SwitchOptions, string>>> = {
  r0: 'r_0',
  d0: 'd_0',
  dMax: 'd_max',
};

/** An option's name in YAML. */
export const spellSwitch = (option: keyof SwitchOptions): string => SPELLINGS[option] ?? option;
