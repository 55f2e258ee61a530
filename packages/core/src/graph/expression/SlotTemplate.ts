import type { OutputCell } from '../Simulation.js';
import type { SlotExpression } from './SlotExpression.js';
import type { Moment } from './Typed.js';

/** A part of a text: as it is written, or an expression whose value stands there. */
export type TemplatePart =
  | string
  | { readonly expression: SlotExpression; readonly digits: number | undefined };

/** A text with values in it, `T = {temperature:4}`: the value of a slot of type `template`. */
export class SlotTemplate {
  readonly #parts: readonly TemplatePart[];

  constructor(parts: readonly TemplatePart[]) {
    this.#parts = parts;
  }

  /** What checkpoints compare. */
  toJSON(): readonly unknown[] {
    return this.#parts.map((part) => (typeof part === 'string' ? part : [part.expression]));
  }

  /** The outputs that it reads. */
  get cells(): readonly OutputCell[] {
    return this.#parts.flatMap((part) => (typeof part === 'string' ? [] : part.expression.cells));
  }

  /** The text with present values. @throws CorpuscleError MISSING_VALUE, as SlotExpression.value */
  text(now: Moment): string {
    return this.#parts
      .map((part) => (typeof part === 'string' ? part : part.expression.shown(now, part.digits)))
      .join('');
  }
}
