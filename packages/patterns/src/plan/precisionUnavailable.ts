import { CorpuscleError } from '@corpuscle/core';
import type { BackendName, Precision } from './chooseBackend.js';

/** The error for a precision that an engine lacks. */
export const precisionUnavailable = (
  precision: Precision,
  backend: BackendName,
  reason: string,
): CorpuscleError =>
  new CorpuscleError(
    'BACKEND_UNAVAILABLE',
    `precision ${precision} is not available on backend ${backend} here, because ${reason}: use --precision f32, or --backend cpu`,
  );
