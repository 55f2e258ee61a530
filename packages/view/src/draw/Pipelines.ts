import { blitText, resolveText, shadeText } from './imageText.js';
import { bondsText, paintText, pickText, rangeText, rowsText } from './particleText.js';
import { segmentsText, spheresText } from './rasterText.js';

const texts = {
  bonds: bondsText,
  paint: paintText,
  pick: pickText,
  range: rangeText,
  resolve: resolveText,
  rows: rowsText,
  segments: segmentsText,
  shade: shadeText,
  spheres: spheresText,
} as const;

/** What each picture is drawn by, those first that take longest to compile; edges and bonds have one more. */
const usual = ['spheres', 'shade', 'paint'] as const;

/** A kernel that draws. */
export type KernelName = keyof typeof texts;

const all = new WeakMap<GPUDevice, Pipelines>();

/** The kernels of a device: compiled when they are first used, or before that, beside each other. */
export class Pipelines {
  readonly #device: GPUDevice;
  readonly #made = new Map<KernelName, GPUComputePipeline>();
  #blit: GPURenderPipeline | null = null;
  readonly #compiled = new Map<KernelName, Promise<void>>();

  private constructor(device: GPUDevice) {
    this.#device = device;
  }

  /** Those of a device, which all of its views share. */
  static of(device: GPUDevice): Pipelines {
    const pipelines = all.get(device) ?? new Pipelines(device);
    all.set(device, pipelines);
    return pipelines;
  }

  of(name: KernelName): GPUComputePipeline {
    let pipeline = this.#made.get(name);
    if (!pipeline) {
      pipeline = this.#device.createComputePipeline(this.#descriptionOf(name));
      this.#made.set(name, pipeline);
    }
    return pipeline;
  }

  /** Compiles the kernels that each picture has, beside each other. */
  async compile({ hasSegments }: { readonly hasSegments: boolean }): Promise<void> {
    const names = hasSegments ? ([...usual, 'segments'] as const) : usual;
    await Promise.all(
      names.map((name) => {
        const compiled = this.#compiled.get(name) ?? this.#compile(name);
        this.#compiled.set(name, compiled);
        return compiled;
      }),
    );
  }

  async #compile(name: KernelName): Promise<void> {
    const pipeline = await this.#device.createComputePipelineAsync(this.#descriptionOf(name));
    if (!this.#made.has(name)) this.#made.set(name, pipeline);
  }

  #descriptionOf(name: KernelName): GPUComputePipelineDescriptor {
    const label = `view: ${name}`;
    const module = this.#device.createShaderModule({ label, code: texts[name] });
    return { label, layout: 'auto', compute: { module, entryPoint: 'main' } };
  }

  /** Puts a picture on a canvas. */
  blit(format: GPUTextureFormat): GPURenderPipeline {
    if (!this.#blit) {
      const label = 'view: blit';
      const module = this.#device.createShaderModule({ label, code: blitText });
      this.#blit = this.#device.createRenderPipeline({
        label,
        layout: 'auto',
        vertex: { module, entryPoint: 'corner' },
        fragment: { module, entryPoint: 'color', targets: [{ format }] },
      });
    }
    return this.#blit;
  }
}
