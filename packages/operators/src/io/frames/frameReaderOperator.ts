import {
  CorpuscleError,
  defineOperator,
  type Grid,
  type OperatorDefinition,
  type SimulationState,
} from '@corpuscle/core';
import { newestOnHost } from '@corpuscle/patterns';
import { settledBox } from '../../box/RunBox.js';
import { gatherParticles } from '../../run/gatherParticles.js';
import { contextOf, gridKey, planKey } from '../../run/stateKeys.js';
import { placeParticles, typeNames } from '../../system/placeParticles.js';
import type { ParticleFrame } from '../extended_xyz/ParticleFrame.js';
import type { FrameFormat, FrameReader } from './FrameFormat.js';
import { tellColumns } from './fileColumns.js';
import { readFrame } from './readFrame.js';
import { scaleFrame } from './scaleFrame.js';
import { unitFactors } from './unitFactors.js';
import { withParticles } from './withParticles.js';

/** How a format is read into a run, beside what the format says. */
export interface FrameReaderSpec {
  readonly doc: string;
  /** The format knows no types: they are those of the particles that are there, in the order of their ids. */
  readonly hasOnlyPositions?: boolean;
  /** Told of the particles that have been placed, to take bonds for instance. */
  readonly placed?: (grid: Grid, frame: ParticleFrame) => void;
  readonly validate?: OperatorDefinition['validate'];
  readonly ranks?: OperatorDefinition['ranks'];
}

const unwrappedSlot = {
  type: 'boolean',
  default: false,
  doc: 'whether positions go on over the faces of the box: what follows particles believes them',
} as const;

/** A format that is read. */
export type ReadableFormat = FrameFormat & { readonly read: FrameReader };

interface Reading {
  readonly frames: AsyncIterator<ParticleFrame>;
  ahead: IteratorResult<ParticleFrame> | null;
  /** Frames read so far. */
  count: number;
}

/**
 * The operator `read_NAME` of a format, which reads particles and box from a file: one frame, or with `loop` all in turn.
 * @throws CorpuscleError FILE_FORMAT (when it runs) for a file without frames, and what the reader throws.
 */
export function frameReaderOperator(
  format: ReadableFormat,
  spec: FrameReaderSpec,
): OperatorDefinition {
  const name = `read_${format.name}`;
  return defineOperator({
    name,
    doc: spec.doc,
    slots: {
      file: { type: 'file', mode: 'read', required: true, doc: 'the file' },
      frame: {
        type: 'integer',
        doc: 'which frame, from 0; −1 is the last; default: the first, and in a loop every frame in turn until the file ends',
      },
      loop: {
        type: 'boolean',
        default: false,
        doc: 'read every frame in turn: what follows runs for each; step and time are those of the frame',
      },
      ...(spec.hasOnlyPositions && { unwrapped: unwrappedSlot }),
    },
    provides: [gridKey],
    endsLoop: true,
    ...(spec.ranks && { ranks: spec.ranks }),
    validate(context) {
      const { slots, fail } = context;
      spec.validate?.(context);
      if (slots.loop && slots.frame !== undefined)
        fail('frame', 'INVALID_VALUE', 'with loop: true every frame is read: remove frame');
    },
    prepare({ slots, state }): Reading | null {
      if (slots.frame !== undefined) return null;
      const frames = format.read(slots.file, {
        types: state.simulation.particleTypes.names,
        onNote: (text) => state.say(text),
      });
      return { frames: frames[Symbol.asyncIterator](), ahead: null, count: 0 };
    },
    async execute(context) {
      const { slots, state, own } = context;
      const { length, time } = unitFactors(state.simulation.configuration.units, format.units);
      const place = async (frame: ParticleFrame): Promise<ParticleFrame> => {
        const bare = scaleFrame(frame, length, time);
        const full = spec.hasOnlyPositions ? await named(state, bare, name) : bare;
        const image = new Int32Array(3 * full.count);
        const scaled = 'unwrapped' in slots && slots.unwrapped ? { ...full, image } : full;
        await settledBox(state);
        placeParticles(state, scaled, { isOfKnown: spec.hasOnlyPositions ?? false });
        tellColumns(state, slots.file);
        spec.placed?.(state.get(gridKey), scaled);
        return scaled;
      };
      // Outside loops a file means its first frame, however often a batch that reads it is used.
      if (!own || !(slots.loop || context.isLooping())) {
        const options = {
          types: state.simulation.particleTypes.names,
          onNote: (text: string) => state.say(text),
        };
        await place(
          await readFrame(format.read(slots.file, options), slots.file, slots.frame ?? 0),
        );
        return;
      }
      const next = own.ahead ?? (await own.frames.next());
      own.ahead = null;
      if (next.done) {
        if (own.count === 0)
          throw new CorpuscleError('FILE_FORMAT', `'${slots.file}' has no frame`);
        context.stopLoop();
        return;
      }
      const frame = await place(next.value);
      state.step = frame.step ?? own.count;
      state.time = frame.time ?? state.step * (state.find(planKey)?.dt ?? 0);
      own.count++;
      if (!slots.loop) return;
      own.ahead = await own.frames.next();
      if (!own.ahead.done) context.repeatBatch();
    },
    async dispose({ own }) {
      await own?.frames.return?.();
    },
  });
}

/** A frame without types gets those of the particles that are there; without any, the only type there is. */
async function named(
  state: SimulationState,
  frame: ParticleFrame,
  operator: string,
): Promise<ParticleFrame> {
  const types = typeNames(state);
  const grid = state.find(gridKey);
  if (grid) {
    await newestOnHost(grid, contextOf(state));
    gatherParticles(state);
    return withParticles(frame, grid, types);
  }
  if (types.length <= 1) return frame;
  throw new CorpuscleError(
    'INVALID_VALUE',
    `${operator} knows positions only, and there are ${types.length} particle types: put an operator that makes or reads the particles before it`,
  );
}
