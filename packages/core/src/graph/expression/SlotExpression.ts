import { CorpuscleError } from '@corpuscle/functor/error';
import type { UnitSystem } from '../../units/UnitSystem.js';
import type { OutputCell, SlotSource } from '../Simulation.js';
import type { Moment, SlotType, SlotValue, Typed } from './Typed.js';

/** A slot or global that an expression reads. A global becomes an output where an operator writes it. */
export interface NamedSource {
  readonly name: string;
  readonly sources: ReadonlyMap<string, SlotSource>;
}

/** What a source holds now; undefined where it has no value yet. */
export function valueNow({ name, sources }: NamedSource): SlotValue | undefined {
  const source = sources.get(name)!;
  if (source.kind === 'absent') return undefined;
  const value = source.kind === 'value' ? source.value : (source.cell.value ?? source.fallback);
  return value as SlotValue | undefined;
}

/** The output that a source is, if it is one. */
export function cellOf({ name, sources }: NamedSource): OutputCell | undefined {
  const source = sources.get(name)!;
  return source.kind === 'output' ? source.cell : undefined;
}

/**
 * An expression over slots and globals: the value of a slot of type `expression`.
 *
 * @example
 * execute: ({ slots, state }) => state.say(`${slots.value.text} is ${slots.value.shown(state)}`),
 */
export class SlotExpression {
  /** As the file has it. */
  readonly text: string;
  readonly type: SlotType;
  readonly #typed: Typed;
  readonly #reads: readonly NamedSource[];
  readonly #units: UnitSystem;

  constructor(text: string, typed: Typed, reads: readonly NamedSource[], units: UnitSystem) {
    this.text = text;
    this.type = typed.type;
    this.#typed = typed;
    this.#reads = reads;
    this.#units = units;
  }

  /** What checkpoints compare. */
  toJSON(): string {
    return this.text;
  }

  /** The outputs that it reads. */
  get cells(): readonly OutputCell[] {
    return this.#reads.flatMap((read) => cellOf(read) ?? []);
  }

  /** Whether everything that it reads has a value. */
  get isReady(): boolean {
    return this.#reads.every((read) => valueNow(read) !== undefined);
  }

  /** Whether it is the same at every moment as long as nothing writes the outputs that it reads. */
  get isTimeless(): boolean {
    return this.#typed.isConstant;
  }

  /** Its value where that can never change; else undefined. */
  get constant(): SlotValue | undefined {
    const isFixed = this.isTimeless && this.#reads.every((read) => !cellOf(read));
    return isFixed ? this.#typed.value({ step: 0, time: 0 }) : undefined;
  }

  /**
   * Its present value, a number in internal units.
   * @throws CorpuscleError MISSING_VALUE where an operator that makes something of it has not run yet
   */
  value(now: Moment): SlotValue {
    for (const read of this.#reads) {
      if (valueNow(read) !== undefined) continue;
      throw new CorpuscleError(
        'MISSING_VALUE',
        `'${read.name}' in '${this.text}' has no value yet: ${cellOf(read)?.operator ?? 'the operator'}, which makes it, must run before`,
      );
    }
    return this.#typed.value(now);
  }

  /** Its present value in the user's units. */
  inUserUnits(now: Moment): SlotValue {
    const value = this.value(now);
    if (this.type.kind !== 'number') return value;
    return this.#units.fromInternal(value as number, this.type.dimension);
  }

  /** Its present value as a text, with its unit. @param digits significant ones; default: all */
  shown(now: Moment, digits?: number): string {
    const value = this.inUserUnits(now);
    if (typeof value !== 'number' || this.type.kind !== 'number') return String(value);
    const number = digits === undefined ? String(value) : String(Number(value.toPrecision(digits)));
    const unit = this.#units.unitName(this.type.dimension);
    return unit === '' ? number : `${number} ${unit}`;
  }
}
