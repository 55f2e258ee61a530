import type { ErrorCode } from '@corpuscle/functor/error';
import type { PlainValue, SlotSpecs } from './SlotSpec.js';
import type { SourceNode } from './yaml/SourceNode.js';

/** Items of a batch as a composite writes them: as in YAML, with values of the user's file in between. */
export type WrittenValue =
  | PlainValue
  | SourceNode
  | readonly WrittenValue[]
  | { readonly [key: string]: WrittenValue };

/** One use of a composite in a file. */
export interface CompositeUse {
  readonly composite: Composite;
  /** Numbers the uses of a simulation, from 0; the same text has the same number wherever it is used. */
  readonly number: number;
  /** The slots that the file gives; values may be handed on to operators. */
  readonly settings: Readonly<Record<string, SourceNode>>;
  /** Text of a slot that is given as one word, such as the name of a group. */
  wordOf(slot: string): string | undefined;
  /** Items that stand where the file names this use, and not where the first one of a list does. */
  placed(items: WrittenValue): WrittenValue;
  /** Ends loading with an error at this place of the file. */
  fail(code: ErrorCode, message: string): never;
}

/**
 * A name with slots that stands for several operators of a batch, such as an integrator for the operators of a step.
 *
 * @example
 * { name: 'twice', doc: 'Runs a operator twice.', slots: {}, expand: () => ['end_time_step', 'end_time_step'] }
 */
export interface Composite {
  /** Name in YAML, snake_case. */
  readonly name: string;
  readonly doc: string;
  /** What a file can give; `batch` is the type of items. */
  readonly slots: SlotSpecs;
  /**
   * Composites of one list that have the same `expand` and say `joins` are expanded together, at the place of the first.
   * @default false
   */
  readonly joins?: boolean;
  /** The items of the batch that stands for the uses. */
  readonly expand: (uses: readonly CompositeUse[]) => readonly WrittenValue[];
}
