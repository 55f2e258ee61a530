import { existsSync } from 'node:fs';
import { CorpuscleError, didYouMean, type Grid, writeWhole } from '@corpuscle/core';
import { FrameGrid, findFormat, type ParticleFrame } from '@corpuscle/operators';
import { createExecutionContext, type ExecutionContext, probeGpu } from '@corpuscle/patterns';
import {
  cameraFor,
  createView,
  type Look,
  type Picture,
  usualRadius,
  type View,
  zoom,
} from '@corpuscle/view';
import { exitCode } from '../../exitCodes.js';
import type { Streams } from '../../Streams.js';
import { frameRange } from '../frameRange.js';
import { encodePng } from './encodePng.js';
import { Movie } from './Movie.js';
import {
  checkName,
  checkNumbers,
  parseBackground,
  parseColor,
  parseImages,
  parseNumbers,
  parseSize,
  parseSlices,
} from './parseLook.js';
import type { RenderOptions } from './RenderOptions.js';

/** `corpuscle render`: frames of a file as PNG, one file each, or as a movie. */
export async function render(
  file: string,
  options: RenderOptions,
  streams: Streams,
): Promise<number> {
  const format = findFormat(file, options.from);
  const { read } = format;
  if (!read)
    throw new CorpuscleError(
      'INVALID_VALUE',
      `files of ${format.name} are written, not read: draw another file`,
    );
  const wanted = wishOf(options);
  if (!existsSync(file))
    throw new CorpuscleError('FILE_NOT_FOUND', `cannot read '${file}': there is no such file`);
  const frames = () => read(file, { onNote: (text) => streams.err(`${text}\n`) });
  const asked = options.frame ?? (options.movie === undefined ? '0' : '0:');
  const range = await frameRange(asked, '--frame', frames);
  const isOne = range.end === range.begin + 1;
  if (options.movie === undefined && range.end - range.begin > range.stride) nameOf(options.out, 0);
  const context = await contextForPictures(streams);
  const write = async (name: string, content: Uint8Array) => {
    await writeWhole(name, content, {
      older: options.overwrite ? 'replace' : 'keep',
      onKept: (kept) => streams.err(`${name} was there already: it is ${kept} now\n`),
    });
    streams.out(`${name}\n`);
  };
  const movie = options.movie === undefined ? null : new Movie(options.movie, options.fps);
  let [drawn, index] = [0, 0];
  try {
    const artist = new Artist(context, options, wanted);
    for await (const frame of frames()) {
      if (index >= range.end) break;
      if (index >= range.begin && (index - range.begin) % range.stride === 0) {
        const picture = await artist.draw(frame);
        if (movie) await movie.add(picture);
        else await write(isOne ? options.out : nameOf(options.out, index), encodePng(picture));
        drawn++;
      }
      index++;
    }
    if (drawn === 0)
      throw new CorpuscleError(
        'INVALID_VALUE',
        `'${file}' has ${index} frames: none of them is asked for`,
      );
    if (movie) await write(options.movie!, await movie.end());
  } finally {
    movie?.close();
    await context.close();
  }
  return exitCode.done;
}

/** What the command line says of pictures; mistakes are told before anything is read. */
function wishOf(options: RenderOptions) {
  const images = parseImages(options.images);
  checkNumbers(options);
  if (options.movie === undefined) checkName(options.out);
  const look: Look = {
    color: parseColor(options),
    planes: parseSlices(options.slice),
    images,
    box: options.box,
    background: parseBackground(options.background),
    occlusion: options.occlusion,
  };
  const direction = options.direction && parseNumbers('--direction', options.direction, 3);
  return {
    look,
    size: parseSize(options.size),
    radius: options.radius === undefined ? undefined : parseNumbers('--radius', options.radius),
    direction: direction ? ([direction[0]!, direction[1]!, direction[2]!] as const) : undefined,
  };
}

/** Draws one frame after the other. Colors and radii that are not given are those of the first. */
class Artist {
  readonly #ctx: ExecutionContext;
  readonly #options: RenderOptions;
  readonly #wish: ReturnType<typeof wishOf>;
  readonly #frames: FrameGrid;
  #view: View | null = null;
  #radius: readonly number[] | null = null;

  constructor(ctx: ExecutionContext, options: RenderOptions, wish: ReturnType<typeof wishOf>) {
    this.#ctx = ctx;
    this.#options = options;
    this.#wish = wish;
    this.#frames = new FrameGrid(ctx);
  }

  async draw(frame: ParticleFrame): Promise<Picture> {
    const { samples, legend, angle, bonds } = this.#options;
    const { look, size, radius, direction } = this.#wish;
    const grid = this.#frames.of(frame);
    if (look.color !== 'type') assertField(grid, look.color!.field);
    this.#radius ??= radius ?? [usualRadius(grid)];
    this.#view ??= createView({ context: this.#ctx, grid });
    this.#view.look = {
      ...look,
      radius: this.#radius,
      bonds: bonds ? (frame.bonds ?? []) : [],
    };
    const aspect = size.width / size.height;
    const whole = cameraFor(grid.domain, { direction, angle, aspect, images: look.images });
    const camera = zoom(whole, this.#options.zoom);
    return this.#view.picture({ ...size, samples, legend, camera });
  }
}

/** @throws CorpuscleError INVALID_VALUE naming the numbers that there are */
function assertField(grid: Grid, name: string): void {
  if (grid.hasField(name)) return;
  const names = [...grid.blocks.values()].flatMap(({ spec }) =>
    spec.members.filter((member) => member !== null),
  );
  throw new CorpuscleError(
    'INVALID_VALUE',
    `--color ${name}: particles have no such number${didYouMean(name, names, `they have ${names.join(', ')}`)}`,
  );
}

/** A context that can draw: on the GPU, or in software where there is none. */
async function contextForPictures(streams: Streams): Promise<ExecutionContext> {
  const { available, reason } = await probeGpu();
  if (!available && (await probeGpu({ software: true })).available) {
    process.env.CORPUSCLE_SOFTWARE_GPU = '1';
    streams.err(`drawn in software, since there is no GPU: ${reason}\n`);
  }
  return createExecutionContext({ backend: 'webgpu', threads: 1 });
}

/** The file of a frame: `%d` or `%04d` in a name is the number of the frame. */
function nameOf(out: string, index: number): string {
  const name = out.replace(/%(?:0(\d+))?d/, (_, digits) =>
    String(index).padStart(Number(digits ?? 0), '0'),
  );
  if (name !== out) return name;
  throw new CorpuscleError(
    'INVALID_VALUE',
    `--out ${out} names one file, and several frames are drawn: put their number into the name, as in frame-%04d.png`,
  );
}
