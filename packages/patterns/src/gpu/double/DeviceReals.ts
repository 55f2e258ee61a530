import { doubleText, singleText } from '@corpuscle/functor/wgsl';
import type { Precision } from '../../plan/chooseBackend.js';

/** `f64` is double-single: two floats, 48 bits. */
export type DeviceReal = 'f32' | 'f64';

/** What `real` is on the device. */
export interface DeviceReals {
  /** Of fields and arrays, and in cell, reduce and block functors. */
  readonly state: DeviceReal;
  /** In pair functors. */
  readonly pair: DeviceReal;
}

/** The policies: `mixed` keeps and integrates the state in double-single, and computes pairs in f32. */
export const realsOf: Readonly<Record<Precision, DeviceReals>> = {
  f32: { state: 'f32', pair: 'f32' },
  f64: { state: 'f64', pair: 'f64' },
  mixed: { state: 'f64', pair: 'f32' },
};

/** What scaffolds write about reals of a WGSL type. */
export const realText = (type: string) =>
  type === 'vec2f'
    ? {
        zero: 'vec2f(0.0, 0.0)',
        difference: (a: string, b: string) => `ds_sub(${a}, ${b})`,
        sum: (a: string, b: string) => `ds_add(${a}, ${b})`,
      }
    : {
        zero: '0.0',
        difference: (a: string, b: string) => `${a} - ${b}`,
        sum: (a: string, b: string) => `${a} + ${b}`,
      };

/** A statement that changes a number of a WGSL type. */
export const updateText = (type: string, target: string, op: '=' | '+=' | '-=', value: string) =>
  (type === 'vec2f' ? doubleText : singleText).update(target, op, value);

/** WGSL type of a real. */
export const realType = (real: DeviceReal): 'f32' | 'vec2f' => (real === 'f64' ? 'vec2f' : 'f32');
