import { combined } from './combined.js';
import type { PatternHandle } from './PatternHandle.js';

/** The handle of an operation that tells its end; what `callback` throws comes out of it. */
export function notified<R>(
  handle: PatternHandle<R>,
  onDevice: (() => Promise<void>) | null,
  callback: () => void,
): PatternHandle<R> {
  return combined([handle], ([result]) => {
    const tell = (): R => {
      callback();
      return result as R;
    };
    return onDevice ? onDevice().then(tell) : tell();
  });
}
