import { CorpuscleError } from '@corpuscle/core';
import type { CpuEngine } from '../cpu/CpuEngine.js';
import type { PatternEngine } from '../engine/Engine.js';
import type { FunctorFacts, Precision } from '../plan/chooseBackend.js';

/** What the package @corpuscle/webgl brings: patterns on machines that have WebGL 2 but no WebGPU. */
export interface WebglBackend extends PatternEngine {
  readonly name: 'webgl';
  readonly precisions: readonly Precision[];
  /** The mode of gpu.js, for people. */
  readonly description: string;
  /** Why it cannot take a functor, as one clause, or null. `asked` is the form that a pair call asks for. */
  refuses(functor: FunctorFacts & { readonly asked: string }): string | null;
  /** Gives it the engine that holds lists and state. */
  connect(cpu: CpuEngine): void;
}

let open: (() => Promise<WebglBackend>) | null = null;

/** Makes backend 'webgl' known; the package @corpuscle/webgl does so when it is imported. */
export function registerWebgl(opener: () => Promise<WebglBackend>): void {
  open = opener;
}

/** @throws CorpuscleError BACKEND_UNAVAILABLE when nothing was registered, or what the opener throws. */
export async function openWebgl(): Promise<WebglBackend> {
  if (open) return open();
  throw new CorpuscleError(
    'BACKEND_UNAVAILABLE',
    "backend webgl was asked for, but its package is not loaded: import '@corpuscle/webgl' first (npm install @corpuscle/webgl gpu.js)",
  );
}
