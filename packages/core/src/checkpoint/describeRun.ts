import type { SourceLocation } from '@corpuscle/functor/error';
import { path } from '#core/platform';
import type { BatchNode, GraphNode, Simulation, SlotSource } from '../graph/Simulation.js';
import type { SlotSpec } from '../graph/SlotSpec.js';

/** What a run is made of, by name, as text: a run goes on from a checkpoint only where all of it is the same. */
export type RunDescription = readonly (readonly [name: string, value: string])[];

/**
 * Describes what decides a run: units, seed, particle types, and every operator with the values of its slots, in order. What
 * only says how long, how often and where something is written is left out (`mayChange`).
 */
export const describeRun = (simulation: Simulation): RunDescription =>
  partsOfRun(simulation).map(([name, value]) => [name, value]);

/** The same, with places in the input. */
export function partsOfRun({ configuration, particleTypes, root }: Simulation): readonly Part[] {
  const { units, seed, deterministic } = configuration;
  return [
    ['configuration.units', JSON.stringify(units.definition ?? units.name)],
    ['configuration.seed', String(seed)],
    ['configuration.deterministic', String(deterministic)],
    ['particle_types', JSON.stringify(particleTypes.all)],
    ...partsOf(root),
  ];
}

function* partsOf(node: GraphNode): Generator<Part> {
  const { location } = node;
  if (node.kind === 'batch') {
    yield [`the batch ${node.name || 'in simulation'}`, shapeOf(node), location];
    for (const child of node.body) yield* partsOf(child);
    return;
  }
  yield ['the operator', node.path, location];
  const values = Object.fromEntries(
    [...node.slots].map(([slot, source]) => [slot, 'value' in source ? source.value : undefined]),
  );
  for (const [slot, source] of node.slots) {
    const spec = node.definition.slots[slot];
    const { mayChange } = spec ?? {};
    if (typeof mayChange === 'function' ? mayChange(values) : mayChange) continue;
    const value = textOfSlot(source, spec);
    if (value !== null)
      yield [
        `${node.path}.${slot}`,
        value,
        (source.kind === 'value' && source.location) || location,
      ];
  }
}

const shapeOf = ({ body, condition, loop }: BatchNode): string =>
  JSON.stringify({ operators: body.length, condition: condition?.text, loop });

/** Null for what may differ. */
function textOfSlot(source: SlotSource, spec: SlotSpec | undefined): string | null {
  if (source.kind === 'absent') return null;
  if (spec?.type === 'file' && spec.mode === 'write') return null;
  if (source.kind === 'output') return `made by ${source.cell.operator}`;
  // The folder may have been moved.
  const value = spec?.type === 'file' ? path.basename(String(source.value)) : source.value;
  return JSON.stringify(value) ?? String(value);
}

/** The first difference between two runs, as a clause, and where the present one has it; null where there is none. */
export function differenceOf(
  saved: RunDescription,
  present: readonly Part[],
): { readonly clause: string; readonly location?: SourceLocation | undefined } | null {
  const most = Math.max(saved.length, present.length);
  for (let k = 0; k < most; k++) {
    const [was, is] = [saved[k], present[k]];
    if (was?.[0] === is?.[0] && was?.[1] === is?.[1]) continue;
    return { clause: clauseOf(was, is), location: is?.[2] };
  }
  return null;
}

/** A part of a run: what decides it, its value, and its place in the input. */
type Part = readonly [name: string, value: string, location?: SourceLocation];

function clauseOf(was: Part | undefined, is: Part | undefined): string {
  if (!was) return `${textOf(is!)} is new`;
  if (!is) return `${textOf(was)} is gone`;
  return was[0] === is[0] ? otherValue(is, was[1]) : `${textOf(is)} is where ${textOf(was)} was`;
}

function otherValue([name, is]: Part, was: string): string {
  const [count, before] = [countIn(is), countIn(was)];
  return count === before
    ? `${name} is ${is}, and was ${was}`
    : `the number of operators in ${name} is ${count}, and was ${before}`;
}

/** How many operators the shape of a batch tells of; undefined for other texts. */
const countIn = (text: string): string | undefined => /^\{"operators":(\d+)/.exec(text)?.[1];

const textOf = ([name, value]: Part): string => (countIn(value) ? name : `${name} ${value}`);
