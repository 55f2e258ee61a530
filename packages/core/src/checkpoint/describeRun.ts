import { path } from '#core/platform';
import type { BatchNode, GraphNode, Simulation, SlotSource } from '../graph/Simulation.js';
import type { SlotSpec } from '../graph/SlotSpec.js';

/** What a run is made of, by name, as text: a run goes on from a checkpoint only where all of it is the same. */
export type RunDescription = readonly (readonly [name: string, value: string])[];

/**
 * Describes what decides a run: units, seed, particle types, and every operator with the values of its slots, in order. What
 * only says how long, how often and where something is written is left out (`mayChange`).
 */
export function describeRun({ configuration, particleTypes, root }: Simulation): RunDescription {
  const { units, seed, deterministic } = configuration;
  return [
    ['configuration.units', JSON.stringify(units.definition ?? units.name)],
    ['configuration.seed', String(seed)],
    ['configuration.deterministic', String(deterministic)],
    ['particle_types', JSON.stringify(particleTypes.all)],
    ...partsOf(root),
  ];
}

function* partsOf(node: GraphNode): Generator<readonly [string, string]> {
  if (node.kind === 'batch') {
    yield [`the batch ${node.name || 'in simulation'}`, shapeOf(node)];
    for (const child of node.body) yield* partsOf(child);
    return;
  }
  yield ['the operator', node.path];
  for (const [slot, source] of node.slots) {
    const value = textOfSlot(source, node.definition.slots[slot]);
    if (value !== null) yield [`${node.path}.${slot}`, value];
  }
}

const shapeOf = ({ body, condition, loop }: BatchNode): string =>
  JSON.stringify({ operators: body.length, condition: condition?.text, loop });

/** Null for what may differ. */
function textOfSlot(source: SlotSource, spec: SlotSpec | undefined): string | null {
  if (source.kind === 'absent') return null;
  if (spec?.mayChange || (spec?.type === 'file' && spec.mode === 'write')) return null;
  if (source.kind === 'output') return `made by ${source.cell.operator}`;
  // The folder may have been moved.
  const value = spec?.type === 'file' ? path.basename(String(source.value)) : source.value;
  return JSON.stringify(value) ?? String(value);
}

/** The first difference between two runs, as a clause; null where there is none. */
export function differenceOf(saved: RunDescription, present: RunDescription): string | null {
  const most = Math.max(saved.length, present.length);
  for (let k = 0; k < most; k++) {
    const [was, is] = [saved[k], present[k]];
    if (was?.[0] === is?.[0] && was?.[1] === is?.[1]) continue;
    if (was && is && was[0] === is[0]) return otherValue(is, was[1]);
    if (!was) return `${textOf(is!)} is new`;
    if (!is) return `${textOf(was)} is gone`;
    return `${textOf(is)} is where ${textOf(was)} was`;
  }
  return null;
}

type Part = RunDescription[number];

function otherValue([name, is]: Part, was: string): string {
  const [count, before] = [countIn(is), countIn(was)];
  return count === before
    ? `${name} is ${is}, and was ${was}`
    : `the number of operators in ${name} is ${count}, and was ${before}`;
}

/** How many operators the shape of a batch tells of; undefined for other texts. */
const countIn = (text: string): string | undefined => /^\{"operators":(\d+)/.exec(text)?.[1];

const textOf = ([name, value]: Part): string => (countIn(value) ? name : `${name} ${value}`);
