import { CorpuscleError, type Saved } from '@corpuscle/core';
import type { SavedRunBox } from '../../box/RunBox.js';
import type { BoxFrame } from './pressureBox.js';

/** What a checkpoint keeps of a Nosé–Hoover barostat. */
export type SavedMtk = {
  readonly values: Readonly<Record<string, number>>;
  readonly kinetic: readonly number[];
  readonly massKT: number;
  readonly frame: BoxFrame;
  /** Whether the box was replaced after the last step: its frame and the kinetic tensor are found again. */
  readonly isOfOtherBox?: boolean;
  /** Whether velocities were changed in the last step: the kinetic tensor is found again. */
  readonly isOther?: boolean;
  /** Whether particles came or went after the last step: kinetic tensor and virial are found again. */
  readonly isOfOtherParticles?: boolean;
  readonly box: SavedRunBox;
};

/** @throws CorpuscleError FILE_FORMAT where a checkpoint has something else. */
export function savedMtk(saved: Saved): SavedMtk {
  const { values, kinetic, massKT, frame, box } = (saved ?? {}) as Partial<SavedMtk>;
  const isNumbers = (x: unknown, length: number) =>
    Array.isArray(x) && x.length === length && x.every(Number.isFinite);
  const isSound =
    typeof values === 'object' &&
    Object.values(values).every(Number.isFinite) &&
    isNumbers(kinetic, 6) &&
    Number.isFinite(massKT) &&
    isNumbers(frame?.fixed, 3) &&
    isNumbers(frame?.toOrigin, 3) &&
    isNumbers(frame?.lengths, 3) &&
    isNumbers(frame?.first, 3) &&
    Number.isFinite(box?.volume) &&
    isNumbers(box?.stretch, 3);
  if (isSound) return saved as unknown as SavedMtk;
  throw new CorpuscleError('FILE_FORMAT', 'the checkpoint has no barostat that makes sense');
}
