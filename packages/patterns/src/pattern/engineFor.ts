import type { ExecutionContext } from '../context/ExecutionContext.js';
import type { PatternEngine } from '../engine/Engine.js';
import { type BackendName, noGpu } from '../plan/chooseBackend.js';

/** The engine of a backend that has been chosen. */
export function engineFor(ctx: ExecutionContext, backend: BackendName): PatternEngine {
  if (backend === 'cpu') return ctx.cpu;
  const engine = backend === 'webgpu' ? ctx.gpu : ctx.webgl;
  if (engine) return engine;
  throw noGpu(ctx);
}
