import {
  defineOperator,
  dimensions,
  type Grid,
  type OperatorDefinition,
  type SlotSpecs,
  type SlotValues,
} from '@corpuscle/core';
import { newestOnHost } from '@corpuscle/patterns';
import type { Group } from '../../analyses/coordination/Group.js';
import { follow } from '../../analyses/motion/travel.js';
import { settleTime } from '../../integrators/physicalTime.js';
import { frequencySlot } from '../../run/frequencySlot.js';
import { lastGoodKey } from '../../run/LastGoodState.js';
import { contextOf, gridKey, ledgerKey } from '../../run/stateKeys.js';
import { typeNames } from '../../system/placeParticles.js';
import type { ParticleFrame } from '../extended_xyz/ParticleFrame.js';
import type { FrameTarget, FrameUnits, FrameWriter } from './FrameFormat.js';
import { type GridField, gridFrame } from './gridFrame.js';
import { groupSlot, rowsOfGroup } from './groupSlot.js';
import { outputTarget } from './outputTarget.js';
import { scaleFrame } from './scaleFrame.js';
import { tellWaited } from './tellWaited.js';
import { unitFactors } from './unitFactors.js';

/** How frames of a run are written in a format. */
export interface FrameWriterSpec<S extends SlotSpecs> {
  /** Name of the operator. */
  readonly name: string;
  readonly doc: string;
  /** Slots beside `file`, `frequency` and `group`. */
  readonly slots: S;
  readonly units?: FrameUnits | undefined;
  /** What is written beside positions, types and ids. */
  readonly fields: (slots: SlotValues<S>) => readonly GridField[];
  readonly open: (target: FrameTarget, slots: SlotValues<S>) => FrameWriter;
  /** Adds what the grid does not hold, bonds for instance. */
  readonly complete?: (frame: ParticleFrame, grid: Grid) => ParticleFrame;
}

interface Own {
  readonly writer: FrameWriter;
  /** Milliseconds for which steps have waited for files. */
  waited: number;
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
      frequency: frequencySlot('frames'),
      group: groupSlot,
      ...spec.slots,
    } as SlotSpecs,
    every: 'frequency',
    needs: (slots) =>
      spec.fields(slots as SlotValues<S>).includes('energy') ? ['particle_energies'] : [],
    requires: [gridKey],
    prepare: ({ slots, state }): Own => ({
      writer: spec.open(outputTarget(state.output, slots.file as string), slots as SlotValues<S>),
      waited: 0,
    }),
    async execute({ slots, state, own }) {
      const grid = state.get(gridKey);
      const fields = spec.fields(slots as SlotValues<S>);
      if (fields.includes('force')) state.get(ledgerKey); // zeros would pass for forces
      if (fields.includes('energy')) await state.get(ledgerKey).energies();
      if (fields.includes('image')) follow(grid, contextOf(state));
      await newestOnHost(grid, contextOf(state));
      await settleTime(state);
      state.find(lastGoodKey)?.take();
      const { units } = state.simulation.configuration;
      const species = typeNames(state);
      const frame = gridFrame(grid, {
        species,
        fields,
        rows: rowsOfGroup(slots.group as Group, grid, species),
        step: state.step,
        time: state.time,
        energy: units.fromInternal(1, dimensions.energy),
      });
      const { length, time } = unitFactors(units, spec.units);
      const whole = spec.complete ? spec.complete(frame, grid) : frame;
      const wait = own.writer.write(scaleFrame(whole, 1 / length, 1 / time));
      if (!wait) return;
      const before = performance.now();
      await wait;
      own.waited += performance.now() - before;
    },
    save: ({ own }) => own.writer.save?.() ?? null,
    restore: ({ own }, saved) => own.writer.restore?.(saved),
    async finish({ state, own }) {
      await own.writer.close();
      tellWaited(spec.name, state, own.waited);
    },
    dispose: ({ own }) => own.writer.abandon?.(),
  });
}
