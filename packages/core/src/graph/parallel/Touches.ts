import { imageFlags } from '../../field/imageFlags.js';
import { standardBlocks } from '../../field/standardBlocks.js';
import { SlotExpression } from '../expression/SlotExpression.js';
import { SlotTemplate } from '../expression/SlotTemplate.js';
import { knownSlots } from '../knownSlots.js';
import type { GraphNode, OperatorNode, OutputCell } from '../Simulation.js';

/** What an operator, or a batch of them, reads and writes: blocks of particles and entries of the state by name, outputs, places. */
export interface Touches {
  readonly reads: ReadonlySet<unknown>;
  readonly writes: ReadonlySet<unknown>;
  /** Whether it may read any field of the particles. */
  readonly readsAnyField: boolean;
}

/** The operator that does not say what it writes, or steers the loops around it; a batch with one runs alone. */
export type Untold = { readonly untold: OperatorNode };

/** The block of a standard field; any other name is that of a block. */
const blocks = new Map(
  [...standardBlocks, imageFlags].flatMap(({ name, members }) =>
    members.flatMap((member) => (member === null ? [] : [[member, name] as const])),
  ),
);

const FIELD = 'field ';
const fieldNamed = (name: string): string => FIELD + (blocks.get(name) ?? name);

/** What a node of the graph touches, or the operator in it that does not say. */
export function touchesOf(node: GraphNode): Touches | Untold {
  const reads = new Set<unknown>();
  const writes = new Set<unknown>();
  let readsAnyField = false;
  const visit = (one: GraphNode): OperatorNode | null => {
    if (one.kind === 'batch') {
      for (const expression of [one.condition, one.loop])
        if (expression instanceof SlotExpression)
          for (const cell of expression.cells) reads.add(cell);
      for (const child of one.body) {
        const untold = visit(child);
        if (untold) return untold;
      }
      return null;
    }
    const fields = fieldsOf(one);
    if (!fields) return one;
    for (const name of fields.writes) writes.add(fieldNamed(name));
    for (const name of fields.reads ?? []) reads.add(fieldNamed(name));
    readsAnyField ||= fields.reads === undefined;
    const { requires = [], provides = [] } = one.definition;
    for (const { name } of requires) reads.add(`entry ${name}`);
    for (const { name } of provides) writes.add(`entry ${name}`);
    writes.add(one.place); // what one place keeps, all its uses share
    addSlots(one, reads, writes);
    return null;
  };
  const untold = visit(node);
  return untold ? { untold } : { reads, writes, readsAnyField };
}

/** Whether two that touch these must keep their order. */
export function mustKeepOrder(first: Touches, second: Touches): boolean {
  return disturbs(first, second) || disturbs(second, first) || meet(first.writes, second.writes);
}

/** Whether one writes what another reads. */
function disturbs({ writes }: Touches, { reads, readsAnyField }: Touches): boolean {
  if (meet(writes, reads)) return true;
  return (
    readsAnyField && [...writes].some((one) => typeof one === 'string' && one.startsWith(FIELD))
  );
}

const meet = (some: ReadonlySet<unknown>, others: ReadonlySet<unknown>): boolean =>
  [...some].some((one) => others.has(one));

/** The fields that an operator says it writes and reads; null where it does not, or does more than that. */
function fieldsOf(node: OperatorNode): {
  readonly writes: readonly string[];
  readonly reads: readonly string[] | undefined;
} | null {
  const { definition } = node;
  if (definition.endsLoop || definition.keeper) return null;
  const known = knownSlots(node);
  const { writes: written, reads: read } = definition;
  const writes = typeof written === 'function' ? written(known) : written;
  if (!writes) return null;
  return { writes, reads: typeof read === 'function' ? read(known) : read };
}

function addSlots({ definition, slots }: OperatorNode, reads: Set<unknown>, writes: Set<unknown>) {
  for (const [name, source] of slots) {
    if (source.kind === 'value') for (const cell of cellsIn(source.value)) reads.add(cell);
    if (source.kind !== 'output') continue;
    // Outputs that the file names are no slots of the definition.
    const direction =
      definition.slots[name]?.direction ?? (definition.slots[name] ? 'input' : 'output');
    if (direction !== 'output') reads.add(source.cell);
    if (direction !== 'input') writes.add(source.cell);
  }
}

/** Outputs that expressions and texts within a value read. */
function cellsIn(value: unknown): readonly OutputCell[] {
  if (value instanceof SlotExpression || value instanceof SlotTemplate) return value.cells;
  if (Array.isArray(value)) return value.flatMap(cellsIn);
  const isPlain = typeof value === 'object' && value !== null && !ArrayBuffer.isView(value);
  return isPlain && Object.getPrototypeOf(value) === Object.prototype
    ? Object.values(value).flatMap(cellsIn)
    : [];
}
