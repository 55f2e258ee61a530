import {
  defineOperator,
  dimensions,
  type OperatorDefinition,
  type SimulationState,
  type SlotSpecs,
  type SlotValues,
} from '@corpuscle/core';
import { copyParticles } from '@corpuscle/patterns';
import type { Group } from '../../analyses/coordination/Group.js';
import { bondsOf } from '../../bonds/bondParticles.js';
import { particleEnergies } from '../../forces/currentLedger.js';
import { countImages } from '../../images/countImages.js';
import { settleTime } from '../../integrators/physicalTime.js';
import { frameSlots, stepsBetween } from '../../run/frameSlots.js';
import { isBeforeFirst } from '../../run/isBeforeFirst.js';
import { lastGoodKey, wantedFields } from '../../run/LastGoodState.js';
import { contextOf, gridKey, ledgerKey } from '../../run/stateKeys.js';
import { hadIdZero } from '../../sets/change/particlesChanged.js';
import { typeNames } from '../../system/placeParticles.js';
import type { ParticleFrame } from '../extended_xyz/ParticleFrame.js';
import { FrameQueue } from '../thread/FrameQueue.js';
import type { FrameTask, TaskKind } from '../thread/frameTask.js';
import { type ChosenColumns, chooseColumns } from './chooseColumns.js';
import { chosenGroup } from './chosenGroup.js';
import type { FrameFormat, FrameTarget, FrameUnits, FrameWriter } from './FrameFormat.js';
import { assertStress, blocksOf, type GridField, usesImages } from './gridFrame.js';
import { groupSlot } from './groupSlot.js';
import { staleFields } from './madeFields.js';
import { outputTarget } from './outputTarget.js';
import { type OwnColumn, ownBlocks } from './ownColumns.js';
import { checkProperties, propertiesSlot } from './propertiesSlot.js';
import { tellWaited } from './tellWaited.js';
import { unitFactors } from './unitFactors.js';

/** How frames of a run are written in a format. */
export interface FrameWriterSpec<S extends SlotSpecs> {
  /** Name of the operator. */
  readonly name: string;
  readonly doc: string;
  /** Slots beside `file`, `group` and those of `frameSlots`. */
  readonly slots: S;
  readonly units?: FrameUnits | undefined;
  /** What is written beside positions, types and ids; without a state all that may be. */
  readonly fields: (slots: SlotValues<S>, state?: SimulationState) => readonly GridField[];
  /** What is made of particles, where that is no frame of these fields. */
  readonly task?: (
    slots: SlotValues<S>,
    state: SimulationState,
    properties: readonly OwnColumn[],
  ) => TaskKind;
  readonly open: (target: FrameTarget, slots: SlotValues<S>) => FrameWriter;
  /** Whether files have a place for fields of one's own: a slot `properties`. */
  readonly hasProperties?: boolean;
  /** Columns of the file that particles were read from that are written where `properties` is not given; default none. */
  readonly keepsColumn?: FrameFormat['keepsColumn'];
  /** Columns of that file that have a place of their own, without a slot `properties`. */
  readonly ownPlaces?: readonly string[];
  /** Whether bonds of the grid belong to a frame. */
  readonly hasBonds?: boolean;
  readonly validate?: OperatorDefinition['validate'];
  readonly ranks?: OperatorDefinition['ranks'];
}

interface Own {
  frames: number;
  readonly tell: (state: SimulationState, kind: 'lost' | 'stale', what: string | null) => void;
  readonly writer: FrameWriter;
  readonly queue: FrameQueue;
}

/** An operator that adds a frame to a file whenever it is due. A frame is a copy: files are written while steps go on. */
export function frameWriterOperator<const S extends SlotSpecs>(
  spec: FrameWriterSpec<S>,
): OperatorDefinition {
  return defineOperator({
    name: spec.name,
    doc: spec.doc,
    slots: {
      file: { type: 'file', mode: 'write', required: true, doc: 'the file' },
      ...frameSlots('frames'),
      group: groupSlot,
      ...(spec.hasProperties && { properties: propertiesSlot(spec) }),
      ...spec.slots,
    } as SlotSpecs,
    every: stepsBetween,
    from: 'from',
    needs: (slots) =>
      spec.fields(slots as SlotValues<S>).includes('energy') ? ['particle_energies'] : [],
    unwraps: (slots) => usesImages(spec.fields(slots as SlotValues<S>)),
    requires: [gridKey],
    validate: (context) => checkProperties(context, spec.validate),
    ...(spec.ranks && { ranks: spec.ranks }),
    prepare({ slots, state }): Own {
      if (usesImages(spec.fields(slots as SlotValues<S>, state)))
        countImages(state.get(gridKey), contextOf(state));
      const writer = spec.open(
        outputTarget(state.output, slots.file as string),
        slots as SlotValues<S>,
      );
      return {
        frames: 0,
        tell: tellingOnce(spec.name),
        writer,
        queue: new FrameQueue(() => state.find(lastGoodKey)),
      };
    },
    async execute({ slots, state, own, isLooping }) {
      if (isBeforeFirst(state, slots.from as number | undefined)) return;
      const grid = state.get(gridKey);
      const fields = spec.fields(slots as SlotValues<S>, state);
      if (fields.includes('force')) state.get(ledgerKey); // zeros would pass for forces
      if (fields.includes('energy')) await particleEnergies(state);
      assertStress(grid, fields);
      const { columns: properties, lost } = columnsOf(spec, slots, state);
      own.tell(state, 'lost', lostColumns(lost));
      own.tell(state, 'stale', staleFields(state, slots));
      await settleTime(state);
      const group = chosenGroup(state, slots.group as Group);
      const { writer, queue } = own;
      const known = blocksOf([...fields, ...(await wantedFields(state))]);
      const masks = typeof group === 'object' && 'bits' in group ? [group.field] : [];
      const names = new Set([...known, ...ownBlocks(properties), ...masks]);
      const copy = copyParticles(grid, contextOf(state), [...names], queue.spareCopy());
      if (!state.output.writes) return;
      const { encoding } = writer;
      const { units } = state.simulation.configuration;
      const { length, time } = unitFactors(units, spec.units);
      const task: FrameTask = {
        ...{ step: state.step, time: state.time, group },
        ...(spec.task?.(slots as SlotValues<S>, state, properties) ?? {
          kind: 'frame',
          options: {
            ...{ fields, properties, species: typeNames(state), hadIdZero: hadIdZero(state) },
            energy: units.fromInternal(1, dimensions.energy),
          },
          scale: { length: 1 / length, time: 1 / time },
          bonds: (spec.hasBonds && bondsOf(grid)?.bonds) || null,
          encoder: encoding?.call ?? null,
        }),
      };
      const isAlone = !isLooping() && stepsBetween(slots) === undefined && own.frames === 0;
      own.frames++;
      await queue.push(copy, grid.count, task, (made, onWritten) =>
        encoding ? encoding.add(made, { isAlone, onWritten }) : writer.write(made as ParticleFrame),
      );
      if (!isLooping()) await queue.settle();
    },
    async save({ own, state }) {
      if (!state.output.writes) return null;
      await own.queue.settle();
      return { frames: own.frames, writer: (await own.writer.save?.()) ?? null };
    },
    restore({ own, state }, saved) {
      if (!state.output.writes || !saved) return;
      own.frames = saved.frames;
      own.writer.restore?.(saved.writer);
    },
    async finish({ state, own }) {
      await own.queue.settle();
      await own.writer.close();
      tellWaited(spec.name, state, own.queue.waited);
    },
    // Frames on their way go to their files, also when a run fails.
    async dispose({ own }) {
      await own.queue.close();
      await own.writer.abandon?.();
    },
  });
}

const lostColumns = (lost: readonly string[]): string | null =>
  lost.length > 0 ? `has no place for the columns ${lost.join(', ')}` : null;

/** Says what a writer does, the first sentence of each kind alone. */
function tellingOnce(name: string): Own['tell'] {
  const told = new Set<string>();
  return (state, kind, what) => {
    if (!what) return;
    if (!told.has(kind)) state.say(`${name} ${what}`);
    told.add(kind);
  };
}

/** The columns of one's own that a frame has. */
function columnsOf(
  {
    hasProperties,
    keepsColumn,
    ownPlaces = [],
  }: Pick<FrameWriterSpec<SlotSpecs>, 'hasProperties' | 'keepsColumn' | 'ownPlaces'>,
  slots: { readonly properties?: unknown },
  state: SimulationState,
): ChosenColumns {
  const given = slots.properties as readonly string[] | undefined;
  if (ownPlaces.length > 0) {
    const { columns } = chooseColumns(state, undefined, () => true);
    return { columns: columns.filter(({ name }) => ownPlaces.includes(name)), lost: [] };
  }
  if (!hasProperties || (!given && !keepsColumn)) return { columns: [], lost: [] };
  return chooseColumns(
    state,
    given,
    keepsColumn ?? (({ values }) => values instanceof Float64Array),
  );
}
