import { CorpuscleError, type SlotSpecs, type SlotValues } from '@corpuscle/core';
import type { PatternHandle } from '@corpuscle/patterns';
import type {
  IntegratorPhase,
  IntegratorSetup,
  IntegratorSpec,
  PhaseSlots,
} from './IntegratorSpec.js';
import { IntegratorUse, type PhaseCall } from './IntegratorUse.js';
import { type Segment, segmentsOf } from './segmentsOf.js';
import { hasTurn, type Side } from './turns.js';

/** An integrator or thermostat with its settings, for runs without YAML; `Integrator.with` makes one. */
export interface SchemePart {
  readonly spec: IntegratorSpec<SlotSpecs>;
  /** Values of its slots, quantities in internal units. */
  readonly settings: Readonly<Record<string, unknown>>;
}

/** Settings of an integrator as a part of a scheme; slots that are absent take their defaults. */
export function schemePart<S extends SlotSpecs>(
  spec: IntegratorSpec<S>,
  given: Partial<SlotValues<S>>,
): SchemePart {
  const settings: Record<string, unknown> = {};
  for (const [name, slot] of Object.entries(spec.slots ?? {})) {
    const value = (given as Readonly<Record<string, unknown>>)[name] ?? slot.default;
    if (value !== undefined) settings[name] = value;
    else if (slot.required)
      throw new CorpuscleError('MISSING_VALUE', `${spec.name} needs ${name}: ${slot.doc}`);
  }
  // Slots are those of the spec, so that its types hold by construction.
  return { spec: spec as unknown as IntegratorSpec<SlotSpecs>, settings };
}

/** What the calls of a scheme are made for. */
export type SchemeSetup = Omit<IntegratorSetup, 'stream'> & { readonly dt: number };

const slotsOf = ({ settings }: SchemePart, { dt }: SchemeSetup) =>
  ({ ...settings, dt }) as PhaseSlots<SlotSpecs>;

/** The calls of a step: before lists are updated, before forces are computed, and after. */
export interface StepCalls {
  readonly before: readonly PhaseCall[];
  readonly late: readonly PhaseCall[];
  readonly after: readonly PhaseCall[];
}

/** The calls of a thermostat, and of how many steps at the ends of which it acts. */
interface Around {
  readonly before: readonly PhaseCall[];
  readonly after: readonly PhaseCall[];
  readonly every: number;
}

/** The calls of the steps of a scheme. */
export class SchemeCalls {
  readonly #mover: readonly [first: Segment<PhaseCall>, last: Segment<PhaseCall>];
  readonly #around: readonly Around[];
  /** Those of a step by which thermostats act in it: two bits each. */
  readonly #steps: StepCalls[] = [];
  /** Calls that are closed with it. */
  readonly #own: PhaseCall[] = [];
  readonly #uses: { readonly use: IntegratorUse; begin(): void }[] = [];

  /** @throws CorpuscleError INVALID_VALUE for a list that does not make one step with one evaluation of forces. */
  constructor(mover: SchemePart, thermostats: readonly SchemePart[], setup: SchemeSetup) {
    const inside = this.#prepare(mover, 0, setup);
    this.#around = thermostats.map((part, k) => {
      const [first, last] = this.#prepare(part, k + 1, setup);
      const every = part.spec.every?.(slotsOf(part, setup)) ?? 1;
      return { before: first!.own, after: last!.own, every };
    });
    if (mover.spec.time && thermostats.length > 0)
      throw new CorpuscleError(
        'INVALID_VALUE',
        `${mover.spec.name} chooses the time step itself, and ${thermostats[0]!.spec.name} needs a constant one: leave one out`,
      );
    if (inside.length !== 2)
      throw new CorpuscleError(
        'INVALID_VALUE',
        `${mover.spec.name} computes forces ${inside.length - 1} times in a step: use a simulation file`,
      );
    this.#mover = [inside[0]!, inside[1]!];
  }

  /** The calls of a step; steps in which the same thermostats act have the same object. */
  at(step: number): StepCalls {
    let acting = 0;
    for (const { every } of this.#around)
      acting =
        4 * acting +
        2 * Number(hasTurn('before', step, every)) +
        Number(hasTurn('after', step, every));
    this.#steps[acting] ??= this.#callsOf(step);
    return this.#steps[acting];
  }

  #callsOf(step: number): StepCalls {
    const [first, last] = this.#mover;
    const acting = (side: Side) => this.#around.filter(({ every }) => hasTurn(side, step, every));
    return {
      before: [...acting('before').flatMap(({ before }) => before), ...first.own],
      late: first.late,
      after: [
        ...last.own,
        ...acting('after')
          .reverse()
          .flatMap(({ after }) => after),
      ],
    };
  }

  /** The physical time after the calls so far; null where all time steps are the same. */
  get time(): PatternHandle<number> | null {
    for (const { use } of this.#uses) if (use.time) return use.time;
    return null;
  }

  /** Makes the calls before the first step. */
  begin(): void {
    for (const one of this.#uses) one.begin();
  }

  /** Gives back calls and values. */
  close(): void {
    for (const call of this.#own) call.close();
    for (const { use } of this.#uses) use.close();
  }

  #prepare(part: SchemePart, stream: number, given: SchemeSetup): Segment<PhaseCall>[] {
    const { spec } = part;
    const slots = slotsOf(part, given);
    const setup = { ...given, stream };
    const use = new IntegratorUse(spec, slots, setup);
    this.#uses.push({ use, begin: () => use.begin(slots, setup) });
    const callsOf = (phase: IntegratorPhase<PhaseSlots<SlotSpecs>>) => {
      const { before, call } = use.prepare(phase, slots, setup);
      this.#own.push(call);
      return [...before, call];
    };
    return segmentsOf(spec).map(({ own, late }) => ({
      own: own.flatMap(callsOf),
      late: late.flatMap(callsOf),
    }));
  }
}
