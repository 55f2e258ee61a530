// What blocks of code in `docs` take from the program around them.
import type { Grid as Particles } from '@corpuscle/core';
import type * as operators from '@corpuscle/operators';
import type * as patterns from '@corpuscle/patterns';
import type * as views from '@corpuscle/view';

declare global {
  const ctx: patterns.ExecutionContext;
  const grid: Particles;
  const step: patterns.PreparedStep;
  const pairs: ReturnType<typeof operators.lennardJonesForce>;
  const canvas: HTMLCanvasElement;
  const view: views.View;
  let camera: views.Camera;
  const { cellFunctor, createExecutionContext }: typeof patterns;
  const { cameraFor, createView, orbit, Pace, zoom }: typeof views;
}
