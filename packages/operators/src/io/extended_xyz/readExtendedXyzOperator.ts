import { defineOperator, type SimulationState } from '@corpuscle/core';
import { gridKey, planKey } from '../../run/stateKeys.js';
import { placeParticles } from '../../system/placeParticles.js';
import type { ParticleFrame } from './ParticleFrame.js';
import { extendedXyzFrames, readExtendedXyz } from './readExtendedXyz.js';

/** A file that is read frame by frame, one at each call. */
interface Reading {
  readonly frames: Generator<ParticleFrame, void>;
  /** The next frame, where it had to be looked at. */
  ahead: IteratorResult<ParticleFrame, void> | null;
  /** Frames read so far. */
  count: number;
}

export const readExtendedXyzOperator = defineOperator({
  name: 'read_extended_xyz',
  doc: 'Reads particles and box from an xyz or extended xyz file.',
  slots: {
    file: { type: 'file', mode: 'read', required: true, doc: 'the file' },
    frame: {
      type: 'integer',
      doc: 'which frame, from 0; −1 is the last; default: the first, and in a loop every frame in turn until the file ends',
    },
    loop: {
      type: 'boolean',
      default: false,
      doc: 'read every frame in turn: what stands after this operator runs for each; step and time are those of the frame',
    },
  },
  provides: [gridKey],
  endsLoop: true,
  validate({ slots, fail }) {
    if (slots.loop && slots.frame !== undefined)
      fail('frame', 'INVALID_VALUE', 'with loop: true every frame is read: remove frame');
  },
  prepare({ slots, state }): Reading | null {
    if (slots.frame !== undefined) return null;
    const types = state.simulation.particleTypes.names;
    const frames = extendedXyzFrames(slots.file, types.length > 0 ? { types } : {});
    return { frames, ahead: null, count: 0 };
  },
  execute(context) {
    const { slots, state, own } = context;
    // Outside loops a file means its first frame, however often a batch that reads it is used.
    if (!own || !(slots.loop || context.isLooping())) {
      const types = state.simulation.particleTypes.names;
      const options = { frame: slots.frame, ...(types.length > 0 ? { types } : {}) };
      placeParticles(state, readExtendedXyz(slots.file, options));
      return;
    }
    const frame = own.ahead ?? own.frames.next();
    own.ahead = null;
    if (frame.done) {
      context.stopLoop();
      return;
    }
    placeParticles(state, frame.value);
    tellStep(state, frame.value, own.count);
    own.count++;
    if (!slots.loop) return;
    own.ahead = own.frames.next();
    if (!own.ahead.done) context.repeatBatch();
  },
  dispose({ own }) {
    own?.frames.return();
  },
});

/** A frame that does not say its step is told by its number; its time then follows from the time step, if there is one. */
function tellStep(state: SimulationState, frame: ParticleFrame, number: number): void {
  state.step = numberOf(frame, 'step') ?? number;
  const time = numberOf(frame, 'time');
  const dt = state.find(planKey)?.dt ?? 0;
  state.time = time ?? state.step * dt;
}

function numberOf(frame: ParticleFrame, name: string): number | undefined {
  const text = frame.properties.get(name);
  return text !== undefined && Number.isFinite(Number(text)) ? Number(text) : undefined;
}
