import { createRequire } from 'node:module';
import { NO_H5WASM } from './loadH5wasm.js';

/** What files of H5MD lack here, as a sentence; null where they can be read and written. Nothing is loaded. */
export function missingForH5md(): string | null {
  try {
    createRequire(import.meta.url).resolve('h5wasm/node');
    return null;
  } catch (error) {
    // A package of ES modules alone is found, and refused for that.
    return (error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND' ? NO_H5WASM : null;
  }
}
