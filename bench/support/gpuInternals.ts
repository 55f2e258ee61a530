import type { ExecutionContext } from '@corpuscle/patterns';

/** What benchmarks set and read inside of the GPU engine. */
export interface GpuInternals {
  readonly resident: {
    isOn: boolean;
    readonly counters: { readonly series: number; readonly steps: number };
  };
  readonly pairs: { lanes: number | null };
  readonly neighbors: { readonly builder: { readonly inPlace: { upTo: number } } };
  /** Windows of steps that were made again so far. */
  readonly speculation: { readonly repeats: number };
}

/** The inside of the GPU engine of a context. */
export function gpuInternals(ctx: ExecutionContext): GpuInternals {
  const engine = ctx.engines.accelerator as unknown as {
    readonly gpu: Pick<GpuInternals, 'resident'>;
    readonly pairs: GpuInternals['pairs'];
    readonly neighbors: GpuInternals['neighbors'];
    readonly runner: Pick<GpuInternals, 'speculation'>;
  };
  const { gpu, pairs, neighbors, runner } = engine;
  return { resident: gpu.resident, pairs, neighbors, speculation: runner.speculation };
}
