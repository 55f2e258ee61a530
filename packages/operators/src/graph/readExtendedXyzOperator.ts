import { CorpuscleError, defineOperator, dimensions } from '@corpuscle/core';
import type { ParticleFrame } from '../io/ParticleFrame.js';
import { extendedXyzFrames, readExtendedXyz } from '../io/readExtendedXyz.js';
import { placeParticles, toInternalUnits } from './placeParticles.js';
import { gridKey } from './stateKeys.js';

/** Frames still to come when a file is read frame by frame. */
interface Reading {
  readonly frames: Generator<ParticleFrame, void>;
  next: IteratorResult<ParticleFrame, void>;
  /** Frames read so far. */
  count: number;
}

export const readExtendedXyzOperator = defineOperator({
  name: 'read_extended_xyz',
  doc: 'Reads particles and box from an xyz or extended xyz file.',
  slots: {
    file: { type: 'file', mode: 'read', required: true, doc: 'the file' },
    frame: { type: 'integer', doc: 'which frame, from 0; −1 is the last; default 0' },
    loop: {
      type: 'boolean',
      default: false,
      doc: 'read every frame in turn: what stands behind this operator runs for each; step and time are those of the frame',
    },
  },
  provides: [gridKey],
  endsLoop: true,
  validate({ slots, fail }) {
    if (slots.loop && slots.frame !== undefined)
      fail('frame', 'INVALID_VALUE', 'with loop: true every frame is read: remove frame');
  },
  prepare({ slots, state }): Reading | null {
    if (!slots.loop) return null;
    const types = state.simulation.particleTypes.names;
    const frames = extendedXyzFrames(slots.file, types.length > 0 ? { types } : {});
    return { frames, next: frames.next(), count: 0 };
  },
  execute(context) {
    const { slots, state, own } = context;
    const { units } = state.simulation.configuration;
    if (!own) {
      const types = state.simulation.particleTypes.names;
      const options = { frame: slots.frame, ...(types.length > 0 ? { types } : {}) };
      placeParticles(state, toInternalUnits(readExtendedXyz(slots.file, options), units));
      return;
    }
    const { next } = own;
    if (next.done)
      throw new CorpuscleError('FILE_FORMAT', `'${slots.file}' has no more frames`, {
        location: { file: slots.file, line: 1, column: 1 },
      });
    placeParticles(state, toInternalUnits(next.value, units));
    // A frame that does not say its step is told by its number.
    state.step = numberOf(next.value, 'step') ?? own.count;
    const time = numberOf(next.value, 'time');
    if (time !== undefined) state.time = units.toInternal(time, dimensions.time);
    own.count++;
    own.next = own.frames.next();
    if (!own.next.done) context.repeatBatch();
  },
  dispose({ own }) {
    own?.frames.return();
  },
});

function numberOf(frame: ParticleFrame, name: string): number | undefined {
  const text = frame.properties.get(name);
  return text !== undefined && Number.isFinite(Number(text)) ? Number(text) : undefined;
}
