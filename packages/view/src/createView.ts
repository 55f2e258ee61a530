import { CorpuscleError, type Grid } from '@corpuscle/core';
import {
  computeCellParticles,
  type DeviceParticles,
  type ExecutionContext,
  type PatternHandle,
  readOnDevice,
} from '@corpuscle/patterns';
import { type Camera, cameraFor } from './camera/Camera.js';
import { unordered } from './draw/ordered.js';
import { Painter, PICK_WORDS } from './draw/Painter.js';
import type { Painting } from './draw/Painting.js';
import { blocksOf, type PictureSize } from './draw/Scene.js';
import type { Look } from './Look.js';
import { drawLegend, type Legend } from './legend/drawLegend.js';
import type { Picture } from './Picture.js';

/** A canvas, of a page or an `OffscreenCanvas`. */
export interface ViewCanvas {
  width: number;
  height: number;
  /** The context that pictures are shown by. */
  getContext(kind: 'webgpu'): unknown;
}

/** What is drawn, and where. */
export interface ViewOptions {
  readonly context: ExecutionContext;
  readonly grid: Grid;
  /** Where `draw` shows its pictures; without it they stay on the device until `picture` asks for one. */
  readonly canvas?: ViewCanvas;
  /** Width and height without a canvas. Default 1280 by 720. */
  readonly size?: readonly [number, number];
  readonly look?: Look;
}

/** A picture that is asked for. */
export interface PictureOptions {
  /** Default that of the canvas, or of the view. */
  readonly width?: number;
  readonly height?: number;
  /** Default the camera of the last picture. */
  readonly camera?: Camera;
  /** Samples of a pixel along each axis; edges are smooth from 2 on. Default 2. */
  readonly samples?: number;
  /** Whether the meaning of colors is drawn, where they are those of a field. Default true. */
  readonly legend?: boolean;
}

/** A particle that was clicked. */
export interface Picked {
  readonly id: number;
  readonly type: number;
  /** Of the image that was clicked. */
  readonly position: readonly [number, number, number];
  /** The number that its color comes from; null with the colors of types. */
  readonly value: number | null;
}

/** The pictures of a grid. */
export interface View {
  /** The particles of the next picture; another grid of the same context may take its place. */
  grid: Grid;
  /** How particles look; another one holds from the next picture on. */
  look: Look;
  /** The camera of the last picture. */
  camera: Camera;
  /**
   * Draws particles as they are after the calls so far, from the buffers of the engine: nothing comes to the host.
   * @throws CorpuscleError UNKNOWN_FIELD for a color; INVALID_VALUE for a camera that looks nowhere.
   */
  draw(camera?: Camera): PatternHandle<void>;
  /** Resolves when the device has done the calls and pictures so far; the run may go on meanwhile. */
  done(): Promise<void>;
  /** A picture of any size for the host. */
  picture(options?: PictureOptions): Promise<Picture>;
  /** The particle at a pixel of the canvas, counted from the top left, seen by the camera of the last picture; null for the background, bonds and the box. */
  pick(x: number, y: number): Promise<Picked | null>;
  /** What the colors mean; null for colors of types. */
  legend(): Promise<Legend | null>;
  /** Gives the memory of the device back. */
  close(): void;
}

/**
 * Draws the particles of a grid from where the engine has them on a GPU: in a canvas, or as pictures without a display.
 *
 * @throws CorpuscleError BACKEND_UNAVAILABLE (at the first picture) where the context has no WebGPU.
 * @example
 * const view = createView({ context: ctx, grid, canvas, look: { color: { field: 'vx' } } });
 * view.draw(cameraFor(grid.domain));
 */
export function createView(options: ViewOptions): View {
  return new GridView(options);
}

/** Milliseconds after which work that is awaited is looked after. */
const WATCHED = 1000;

class GridView implements View {
  grid: Grid;
  look: Look;
  camera: Camera;
  readonly #ctx: ExecutionContext;
  readonly #canvas: ViewCanvas | null;
  readonly #size: readonly [number, number];
  #painter: Painter | null = null;
  #target: GPUCanvasContext | null = null;

  constructor({ context, grid, canvas, size = [1280, 720], look = {} }: ViewOptions) {
    this.#ctx = context;
    this.grid = grid;
    this.#canvas = canvas ?? null;
    this.#size = size;
    this.look = look;
    const [width, height] = this.#sizeNow;
    this.camera = cameraFor(grid.domain, { aspect: width / height, images: look.images });
  }

  get #sizeNow(): readonly [number, number] {
    return this.#canvas ? [this.#canvas.width, this.#canvas.height] : this.#size;
  }

  draw(camera = this.camera): PatternHandle<void> {
    const [width, height] = this.#sizeNow;
    return this.#paint(camera, { width, height, samples: 1 }, (painting, { device }) => {
      if (this.#canvas) this.#show(painting, device, this.#canvas);
    });
  }

  async done(): Promise<void> {
    let done: Promise<undefined> | null = null;
    await readOnDevice(this.grid, this.#ctx, [], ({ device }) => {
      done = device.queue.onSubmittedWorkDone();
    });
    let timer: ReturnType<typeof setTimeout> | undefined;
    // The engine looks after work that it awaits itself: it may have no end.
    const watched = new Promise<never>((_, reject) => {
      timer = setTimeout(() => this.#ctx.device?.finished().catch(reject), WATCHED);
    });
    try {
      await Promise.race([done, watched]);
    } finally {
      clearTimeout(timer);
    }
  }

  async picture(options: PictureOptions = {}): Promise<Picture> {
    const [usualWidth, usualHeight] = this.#sizeNow;
    const { width = usualWidth, height = usualHeight, samples = 2, legend = true } = options;
    for (const [name, value] of Object.entries({ width, height, samples }))
      if (!Number.isInteger(value) || value < 1)
        throw new CorpuscleError(
          'INVALID_VALUE',
          `${name} of a picture is ${value}: give a whole number from 1`,
        );
    const bytes = 4 * width * height;
    const size = { width, height, samples };
    const words = await this.#read(options.camera ?? this.camera, size, [
      ['picture', bytes],
      ['range', 8],
    ]);
    const data = new Uint8ClampedArray(words.buffer, 0, bytes);
    const picture = { width, height, data };
    const meaning = legend && this.#legendOf(words.subarray(bytes / 4));
    if (meaning) drawLegend(picture, meaning);
    return picture;
  }

  async pick(x: number, y: number): Promise<Picked | null> {
    const [width, height] = this.#sizeNow;
    if (!(x >= 0 && y >= 0 && x < width && y < height)) return null;
    const size = { width, height, samples: 1 };
    const place = Uint32Array.of(x, y);
    const words = await this.#read(this.camera, size, [['found', 4 * PICK_WORDS]], place);
    const owner = words[2]!;
    if (owner === 0 || owner > 0x80000000) return null;
    const floats = new Float32Array(words.buffer);
    const { color = 'type' } = this.look;
    return {
      id: words[4]! + 2 ** 32 * words[5]!,
      type: words[3]!,
      position: [floats[6]!, floats[7]!, floats[8]!],
      value: color === 'type' ? null : floats[9]!,
    };
  }

  async legend(): Promise<Legend | null> {
    const { color = 'type' } = this.look;
    if (color === 'type') return null;
    const { field: name, map = 'viridis', range } = color;
    if (range) return { name, map, range };
    const size = { width: 16, height: 16, samples: 1 };
    return this.#legendOf(await this.#read(this.camera, size, [['range', 8]]));
  }

  close(): void {
    this.#painter?.free();
    this.#painter = null;
    this.#target?.unconfigure();
    this.#target = null;
  }

  #legendOf(range: Uint32Array): Legend | null {
    const { color = 'type' } = this.look;
    if (color === 'type') return null;
    const { field: name, map = 'viridis' } = color;
    return {
      ...{ name, map },
      range: color.range ?? [unordered(~range[0]! >>> 0), unordered(range[1]!)],
    };
  }

  /** Draws, in the order of calls; `then` records what follows in the same submit. */
  #paint(
    camera: Camera,
    size: PictureSize,
    then: (painting: Painting, particles: DeviceParticles) => void,
  ): PatternHandle<void> {
    const { grid, look } = this;
    this.camera = camera;
    this.#compute(look);
    return readOnDevice(grid, this.#ctx, blocksOf(grid, look), (particles) => {
      this.#painter ??= new Painter(particles.device);
      const painting = this.#painter.paint(grid, particles, look, camera, size);
      then(painting, particles);
      painting.submit();
    });
  }

  /** Computes the field that colors come from, where a functor does. */
  #compute({ color = 'type' }: Look): void {
    if (color === 'type' || !color.functor) return;
    const { field, functor, params = {} } = color;
    if (!this.grid.hasField(field))
      this.grid.addBlock({ name: field, type: 'f64', width: 1, members: [field] });
    computeCellParticles(this.grid, functor, this.#ctx, { params, asynchronous: true });
  }

  /** Draws, and reads small buffers, one after the other. @param given the first words of the answer to a click. */
  async #read(
    camera: Camera,
    size: PictureSize,
    parts: readonly (readonly ['picture' | 'range' | 'found', number])[],
    given?: Uint32Array<ArrayBuffer>,
  ): Promise<Uint32Array<ArrayBuffer>> {
    const bytes = parts.reduce((sum, [, length]) => sum + length, 0);
    let staging: GPUBuffer | null = null;
    await this.#paint(camera, size, (painting, { device }) => {
      staging = this.#painter!.staging(bytes);
      if (given) {
        device.queue.writeBuffer(painting.buffers.found!, 0, given);
        const names = ['positions', 'strain', 'field', 'hits', 'types', 'ids', 'found'] as const;
        painting.run('pick', names, 1);
      }
      painting.end();
      let at = 0;
      for (const [name, length] of parts) {
        painting.encoder.copyBufferToBuffer(painting.buffers[name]!, 0, staging, at, length);
        at += length;
      }
    });
    const buffer = staging as unknown as GPUBuffer;
    await buffer.mapAsync(1);
    const words = new Uint32Array(buffer.getMappedRange().slice(0));
    buffer.destroy();
    return words;
  }

  #show(painting: Painting, device: GPUDevice, canvas: ViewCanvas): void {
    const { gpu } = globalThis.navigator as { gpu?: GPU };
    const format = gpu?.getPreferredCanvasFormat() ?? 'bgra8unorm';
    if (!this.#target) {
      this.#target = canvas.getContext('webgpu') as GPUCanvasContext;
      this.#target.configure({ device, format, alphaMode: 'opaque' });
    }
    painting.end();
    const pipeline = this.#painter!.pipelines.blit(format);
    const pass = painting.encoder.beginRenderPass({
      colorAttachments: [
        { view: this.#target.getCurrentTexture().createView(), loadOp: 'clear', storeOp: 'store' },
      ],
    });
    pass.setPipeline(pipeline);
    pass.setBindGroup(0, painting.bind(pipeline, ['picture']));
    pass.draw(3);
    pass.end();
  }
}
