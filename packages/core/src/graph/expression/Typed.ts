import type { Dimension } from '../../units/Dimension.js';
import { describeDimension } from '../../units/dimensions.js';
import type { ValueSpec } from '../SlotSpec.js';

/** What the parts of an expression are. Numbers are in internal units. */
export type SlotType =
  | { readonly kind: 'boolean' }
  | { readonly kind: 'text' }
  | {
      readonly kind: 'number';
      readonly dimension: Dimension;
      readonly isInteger: boolean;
      /** A number without a unit that is written there: beside a quantity it is in the user's units. */
      readonly isPlain: boolean;
    };

/** The type of numbers. */
export type NumberType = Extract<SlotType, { readonly kind: 'number' }>;

/** What a slot of an expression holds. */
export type SlotValue = boolean | number | string;

/** Where a run is. */
export interface Moment {
  readonly step: number;
  readonly time: number;
}

/** A part of an expression with its type, ready to be asked. */
export interface Typed {
  readonly type: SlotType;
  /** Whether it is the same at every moment, whatever slots hold. */
  readonly isConstant: boolean;
  readonly value: (now: Moment) => SlotValue;
}

export const booleanType: SlotType = { kind: 'boolean' };
export const textType: SlotType = { kind: 'text' };
export const numberType = (
  dimension: Dimension = {},
  isInteger = false,
  isPlain = false,
): NumberType => ({ kind: 'number', dimension, isInteger, isPlain });

/** In words: "true or false", "a length". */
export function describeType(type: SlotType): string {
  if (type.kind === 'boolean') return 'true or false';
  return type.kind === 'text' ? 'a text' : describeDimension(type.dimension);
}

/** The type of a slot's values; undefined for lists, maps and objects. */
export function typeOfSpec(spec: ValueSpec): SlotType | undefined {
  switch (spec.type) {
    case 'boolean':
      return booleanType;
    case 'number':
      return numberType();
    case 'integer':
      return numberType({}, true);
    case 'quantity':
      return numberType(spec.dimension);
    case 'string':
    case 'enum':
    case 'file':
    case 'particle_type':
      return textType;
    default:
      return undefined;
  }
}

/** What a slot takes that holds such values. */
export function specOfType(type: SlotType): ValueSpec {
  if (type.kind === 'boolean') return { type: 'boolean' };
  if (type.kind === 'text') return { type: 'string' };
  if (type.isInteger) return { type: 'integer' };
  const isNumber = Object.values(type.dimension).every((exponent) => !exponent);
  return isNumber ? { type: 'number' } : { type: 'quantity', dimension: type.dimension };
}
