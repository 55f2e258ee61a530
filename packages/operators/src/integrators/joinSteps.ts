import type { CompositeUse, WrittenValue } from '@corpuscle/core';

/** Operators before, between or after evaluations of forces; `late` are made between the update of the lists and the forces. */
export interface StepSegment {
  readonly own: readonly string[];
  readonly late: readonly string[];
}

/** Settings that an operator takes, where it does not take all of the use. */
interface Takes {
  readonly takes?: Readonly<Record<string, readonly string[]>>;
}

/** Names of the operators of an integrator. */
export type StepParts =
  /** It moves particles: its operators before, between and after evaluations of forces. */
  | ({
      readonly kind: 'moves';
      readonly segments: readonly StepSegment[];
      /** Whether it chooses the time step. */
      readonly measuresTime?: boolean;
    } & Takes)
  /** It makes a whole step of all particles, lists and forces included. */
  | { readonly kind: 'whole'; readonly items: readonly WrittenValue[] }
  /** A thermostat: its operators before and after the step of another integrator. */
  | ({
      readonly kind: 'wraps';
      readonly before: readonly string[];
      readonly after: readonly string[];
      /** Whether it acts on the box alone, whatever moves the particles. */
      readonly isOfBox?: boolean;
    } & Takes);

/** What moves particles of thermostats where no other integrator does. */
const velocityVerlet = {
  kind: 'moves',
  segments: [
    { own: ['push_velocity_and_position'], late: [] },
    { own: ['push_velocity'], late: [] },
  ],
} as const satisfies StepParts;

/** A use of an integrator, or the velocity Verlet that a thermostat brings along. */
interface Use<P extends StepParts = StepParts> {
  readonly name: string;
  readonly parts: P;
  readonly settings: Readonly<Record<string, WrittenValue>>;
  readonly group: string | undefined;
  readonly placed: CompositeUse['placed'];
}

type Mover = Use<Extract<StepParts, { kind: 'moves' }>>;
type Wrapper = Use<Extract<StepParts, { kind: 'wraps' }>>;
type Whole = Use<Extract<StepParts, { kind: 'whole' }>>;

/**
 * The items of a step that several integrators make together. What one does before forces all do before forces; thermostats go
 * around (see `inOrderAfter`):
 *
 *   [A, B, T]  ─▶  next_time_step │ T before │ A before, B before │ after_drift, update_neighbors, update_forces │ A after, B after │ T after
 *
 * Thermostats of particles that no integrator of the list moves bring velocity Verlet along.
 */
export function joinSteps(
  uses: readonly CompositeUse[],
  partsOf: (use: CompositeUse) => StepParts,
): readonly WrittenValue[] {
  const all = uses.map((use): Use => {
    const { composite, number, settings, placed } = use;
    const own = { ...settings, use: number };
    return {
      name: composite.name,
      parts: partsOf(use),
      settings: own,
      group: groupOf(use),
      placed,
    };
  });
  const wrappers = all.filter((use): use is Wrapper => use.parts.kind === 'wraps');
  const named = all.filter((use): use is Mover => use.parts.kind === 'moves');
  const whole = all.find((use): use is Whole => use.parts.kind === 'whole');
  if (whole) checkAlone(whole, all, uses[0]!);
  const movers = whole ? [] : [...named, ...broughtAlong(wrappers, named)];
  checkMovers(movers, uses[0]!);
  const measuring = movers.find((use) => use.parts.measuresTime);
  if (measuring) checkConstant(measuring, all, uses[0]!);
  const dt = uses.find(({ settings }) => settings.dt)?.settings.dt;
  const itemsOf = (use: Use, names: readonly string[]): WrittenValue[] =>
    names.map((name) => use.placed({ [name]: settingsFor(use, name) }));
  const segments = movers[0]?.parts.segments ?? [];
  const steps = segments.flatMap((_, k): WrittenValue[] => {
    const own = movers.flatMap((use) => itemsOf(use, use.parts.segments[k]!.own));
    const late = movers.flatMap((use) => itemsOf(use, use.parts.segments[k]!.late));
    const isLast = k === segments.length - 1;
    return isLast ? own : [...own, 'after_drift', 'update_neighbors', ...late, 'update_forces'];
  });
  return [
    dt || measuring
      ? { next_time_step: { ...(dt && { dt }), ...(measuring && { measured: true }) } }
      : 'next_time_step',
    ...wrappers.flatMap((use) => itemsOf(use, use.parts.before)),
    ...(whole?.parts.items ?? steps),
    ...inOrderAfter(wrappers).flatMap((use) => itemsOf(use, use.parts.after)),
  ];
}

/**
 * Thermostats of two halves go around each other. What acts at the end of a step only follows them, in its order in the list: fixes
 * of LAMMPS that act there come after all that integrate.
 */
function inOrderAfter(wrappers: readonly Wrapper[]): readonly Wrapper[] {
  const isAround = ({ parts }: Wrapper) => parts.before.length > 0;
  const around = wrappers.filter(isAround).reverse();
  return [...around, ...wrappers.filter((use) => !isAround(use))];
}

/** The settings of a use that one of its operators takes. */
function settingsFor({ parts, settings }: Use, operator: string): Use['settings'] {
  const taken = parts.kind === 'whole' ? undefined : parts.takes?.[operator];
  if (!taken) return settings;
  return Object.fromEntries(Object.entries(settings).filter(([slot]) => taken.includes(slot)));
}

/** Undefined for all particles. */
function groupOf(use: CompositeUse): string | undefined {
  const group = use.wordOf('group');
  return group === 'all' ? undefined : group;
}

function broughtAlong(wrappers: readonly Wrapper[], movers: readonly Mover[]): Mover[] {
  const added: Mover[] = [];
  for (const { name, group, settings, placed, parts } of wrappers) {
    const isMoved = [...movers, ...added].some(
      (use) => !use.group || use.group === group || parts.isOfBox,
    );
    if (isMoved) continue;
    const kept = Object.entries(settings).filter(([slot]) => slot === 'dt' || slot === 'group');
    const own = Object.fromEntries(kept);
    added.push({
      name: `velocity_verlet of ${name}`,
      parts: velocityVerlet,
      settings: own,
      group,
      placed,
    });
  }
  return added;
}

/** Nothing else may move particles beside an integrator that makes the whole step. */
function checkAlone(whole: Whole, all: readonly Use[], { fail }: CompositeUse): void {
  const other = all.find((use) => use !== whole && use.parts.kind !== 'wraps');
  if (!other) return;
  fail('INVALID_VALUE', `${whole.name} and ${other.name} both move all particles: leave one out`);
}

/** Nothing that needs a constant time step may stand beside an integrator that chooses it. */
function checkConstant(measuring: Mover, all: readonly Use[], { fail }: CompositeUse): void {
  const other = all.find((use) => use !== measuring);
  if (!other) return;
  fail(
    'INVALID_VALUE',
    `${measuring.name} chooses the time step itself, and ${other.name} needs a constant one: leave one out`,
  );
}

function checkMovers(movers: readonly Mover[], { fail }: CompositeUse): void {
  for (const [k, one] of movers.entries()) {
    const other = movers
      .slice(0, k)
      .find(({ group }) => !group || !one.group || group === one.group);
    if (other) {
      const which = one.group ?? other.group;
      const what = which ? `the particles of group ${which}` : 'all particles';
      const remedy = 'leave one out, or give each a group of its own';
      fail('INVALID_VALUE', `${other.name} and ${one.name} both move ${what}: ${remedy}`);
    }
    const [first, own] = [movers[0]!.parts.segments.length, one.parts.segments.length];
    if (own === first) continue;
    fail(
      'INVALID_VALUE',
      `${movers[0]!.name} computes forces ${first - 1} times in a step and ${one.name} ${own - 1} times: they cannot make a step together`,
    );
  }
}
