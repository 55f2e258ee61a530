import { CorpuscleError } from '@corpuscle/core';
import type { Precision } from './chooseBackend.js';

/** The error for a precision that a GPU lacks. */
export const precisionUnavailable = (precision: Precision, reason: string): CorpuscleError =>
  new CorpuscleError(
    'BACKEND_UNAVAILABLE',
    `precision ${precision} is not available on this GPU, because ${reason}: use --precision f32, or --backend cpu`,
  );
