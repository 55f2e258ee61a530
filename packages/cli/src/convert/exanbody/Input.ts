import { type Dimension, dimensions, otherNames, UnitSystem } from '@corpuscle/core';
import { Batch, type Value } from '../Draft.js';
import type { Msp } from './readMsp.js';

/** Units of exaNBody where an input names none. */
const UNITS = {
  length: 'angstrom',
  mass: 'Dalton',
  time: 'picosecond',
  temperature: 'kelvin',
  charge: 'elementary_charge',
};

/** What an input has become so far. */
export class Input {
  readonly setup = new Batch();
  readonly forces = new Batch();
  readonly first = new Batch();
  readonly scheme = new Batch();
  readonly output = new Batch();
  readonly drift = new Batch();
  readonly last = new Batch();
  readonly regions = new Set<string>();
  readonly groups = new Set<string>();
  readonly types = new Map<string, Record<string, Value>>();
  readonly globals: Record<string, Value> = {};
  readonly units: Readonly<Record<string, Value>>;
  readonly #system: UnitSystem;
  /** Whether velocities were given, so that others add to them. */
  hasVelocities = false;
  hasBox = false;
  isIncomplete = false;

  constructor(readonly root: ReadonlyMap<string, Msp>) {
    const given = root
      .get('configuration')
      ?.entries?.get('physics')
      ?.entries?.get('units')?.entries;
    const units = Object.entries(UNITS).map(([key, name]) => [
      key,
      String(given?.get(key)?.scalar ?? name),
    ]);
    this.units = Object.fromEntries(units);
    this.#system = UnitSystem.of(this.units as never);
  }

  /** What has no counterpart, as a comment. */
  skip({ line }: Msp, what: string, reason: string, batch: Batch = this.setup): void {
    this.isIncomplete = true;
    batch.addComment(`line ${line}, not converted: ${what} (${reason})`);
  }

  /** A quantity as it is written. */
  quantity(node: Msp | undefined): Value | undefined {
    if (node?.scalar === undefined || typeof node.scalar === 'boolean') return undefined;
    return node.scalar;
  }

  quantities(node: Msp | undefined): Value[] {
    return (node?.items ?? []).map((item) => this.quantity(item) ?? 0);
  }

  /** A number in internal units. @throws CorpuscleError for unknown units */
  number(node: Msp, dimension: Dimension): number {
    const { scalar } = node;
    if (typeof scalar === 'number') return scalar;
    return this.#system.parse(String(scalar), dimension);
  }

  lengths(node: Msp): number[] {
    return (node.items ?? []).map((item) => this.number(item, dimensions.length));
  }

  /** The group of a region expression: made before it is used. */
  groupOf(region: Value, batch: Batch): string {
    const name = `group_${this.groups.size + 1}`;
    this.groups.add(name);
    batch.add('group', { name, region });
    return name;
  }

  /** Slots of an operator: those at its place, else those of its block at the top. */
  slotsOf(name: string, node: Msp): ReadonlyMap<string, Msp> {
    return node.entries ?? this.root.get(name)?.entries ?? new Map();
  }
}

/** What a name of exaNBody is called here, among names that are known. */
export const nameHere = (name: string, known: ReadonlySet<string>): string | undefined =>
  known.has(name) ? name : otherNames.get(name)?.find((other) => known.has(other));
