import type { Precision } from '../pattern/chooseBackend.js';
import type { PatternEngine } from '../pattern/PatternEngine.js';

/** The GPU engine as the context sees it. */
export interface GpuBackend extends PatternEngine {
  readonly name: 'webgpu';
  readonly precisions: readonly Precision[];
  /** Adapter and driver, for people. */
  readonly description: string;
}

export interface GpuRequest {
  readonly backend?: 'auto' | 'cpu' | 'webgpu';
  readonly device?: GPUDevice;
  readonly precision?: Precision;
  readonly deterministic?: boolean;
}

/**
 * Loads the GPU engine on first need, so that CPU runs never pay for Dawn.
 * Returns the engine, or null with the reason as one clause.
 */
export async function loadGpuEngine(
  _request: GpuRequest,
): Promise<{ engine: GpuBackend | null; reason: string }> {
  return { engine: null, reason: 'this build has no GPU engine' };
}
