import type { ExecutionContext } from '../context/ExecutionContext.js';
import type { Engine } from '../engine/Engine.js';
import { type BackendName, noEngine } from '../plan/chooseBackend.js';

/** The engine of a backend. @throws CorpuscleError NO_ADAPTER where the context has none of this name. */
export function engineFor(ctx: ExecutionContext, backend: BackendName): Engine {
  ctx.enter(); // engines note who prepares a call
  const { host, accelerator } = ctx.engines;
  if (backend === host.name) return host;
  if (backend === accelerator?.name) return accelerator;
  throw noEngine(backend, ctx);
}
