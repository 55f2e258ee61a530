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

/** The calls of a step: before lists are updated, before forces are computed, and after. */
export class SchemeCalls {
  readonly before: readonly PhaseCall[];
  readonly late: readonly PhaseCall[];
  readonly after: readonly PhaseCall[];
  readonly #uses: { readonly use: IntegratorUse; begin(): void }[] = [];

  /** @throws CorpuscleError INVALID_VALUE for a list that does not make one step with one evaluation of forces. */
  constructor(mover: SchemePart, thermostats: readonly SchemePart[], setup: SchemeSetup) {
    const inside = this.#prepare(mover, 0, setup);
    const around = thermostats.map((part, k) => this.#prepare(part, k + 1, setup));
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
    this.before = [...around.flatMap(([first]) => first!.own), ...inside[0]!.own];
    this.late = inside[0]!.late;
    this.after = [...inside[1]!.own, ...[...around].reverse().flatMap(([, last]) => last!.own)];
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
    for (const call of [...this.before, ...this.late, ...this.after]) call.close();
    for (const { use } of this.#uses) use.close();
  }

  #prepare(part: SchemePart, stream: number, given: SchemeSetup): Segment<PhaseCall>[] {
    const { spec, settings } = part;
    const slots = { ...settings, dt: given.dt } as PhaseSlots<SlotSpecs>;
    const setup = { ...given, stream };
    const use = new IntegratorUse(spec, slots, setup);
    this.#uses.push({ use, begin: () => use.begin(slots, setup) });
    const callOf = (phase: IntegratorPhase<PhaseSlots<SlotSpecs>>) =>
      use.prepare(phase, slots, setup);
    return segmentsOf(spec).map(({ own, late }) => ({
      own: own.map(callOf),
      late: late.map(callOf),
    }));
  }
}
