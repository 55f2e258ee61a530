import type { KernelName, Pipelines } from './Pipelines.js';

/** What kernels of a picture are bound to. */
type BufferName =
  | 'bonds'
  | 'field'
  | 'found'
  | 'hits'
  | 'ids'
  | 'paint'
  | 'picture'
  | 'positions'
  | 'range'
  | 'rows'
  | 'segments'
  | 'shaded'
  | 'strain'
  | 'tables'
  | 'turn'
  | 'types';

/** A picture that is being recorded. */
export class Painting {
  readonly encoder: GPUCommandEncoder;
  readonly buffers: Partial<Record<BufferName, GPUBuffer>>;
  readonly scene: GPUBuffer;
  readonly #device: GPUDevice;
  readonly #pipelines: Pipelines;
  #pass: GPUComputePassEncoder | null = null;

  constructor(
    device: GPUDevice,
    pipelines: Pipelines,
    scene: GPUBuffer,
    buffers: Partial<Record<BufferName, GPUBuffer>>,
  ) {
    this.#device = device;
    this.#pipelines = pipelines;
    this.encoder = device.createCommandEncoder({ label: 'view' });
    this.scene = scene;
    this.buffers = buffers;
  }

  /** Records a kernel: binding 0 is the scene, and these buffers follow. */
  run(kernel: KernelName, names: readonly BufferName[], groups: number, rows = 1): void {
    const pipeline = this.#pipelines.of(kernel);
    const pass = this.#open();
    pass.setPipeline(pipeline);
    pass.setBindGroup(0, this.bind(pipeline, names));
    pass.dispatchWorkgroups(groups, rows);
  }

  bind(pipeline: GPUPipelineBase, names: readonly BufferName[]): GPUBindGroup {
    const buffers = [this.scene, ...names.map((name) => this.buffers[name]!)];
    return this.#device.createBindGroup({
      layout: pipeline.getBindGroupLayout(0),
      entries: buffers.map((buffer, binding) => ({ binding, resource: { buffer } })),
    });
  }

  clear(name: BufferName): void {
    this.end();
    this.encoder.clearBuffer(this.buffers[name]!);
  }

  /** Ends the kernels so far; copies may follow. */
  end(): void {
    this.#pass?.end();
    this.#pass = null;
  }

  #open(): GPUComputePassEncoder {
    this.#pass ??= this.encoder.beginComputePass({ label: 'view' });
    return this.#pass;
  }

  submit(): void {
    this.end();
    this.#device.queue.submit([this.encoder.finish()]);
  }
}
