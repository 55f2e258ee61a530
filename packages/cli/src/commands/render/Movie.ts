import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { CorpuscleError } from '@corpuscle/core';
import type { Picture } from '@corpuscle/view';

/** Of VP9, which compresses by quality alone: 0 is best, 63 worst. */
const QUALITY = '24';

/** A movie of pictures that come one after the other, which ffmpeg encodes; the ending of the name is the format. */
export class Movie {
  readonly #name: string;
  readonly #rate: number;
  readonly #folder = mkdtempSync(path.join(tmpdir(), 'corpuscle-movie-'));
  #encoder: ReturnType<typeof openEncoder> | null = null;

  constructor(name: string, rate: number) {
    this.#name = name;
    this.#rate = rate;
  }

  get #file(): string {
    return path.join(this.#folder, `movie${path.extname(this.#name)}`);
  }

  /** @throws CorpuscleError FILE_NOT_FOUND where there is no ffmpeg, OUTPUT_FAILED with its own words */
  async add({ width, height, data }: Picture): Promise<void> {
    this.#encoder ??= openEncoder(argumentsOf(this.#file, this.#rate, width, height));
    await this.#encoder.write(data);
  }

  /** The bytes of the movie. @throws as `add` */
  async end(): Promise<Uint8Array> {
    await this.#encoder!.end();
    return readFileSync(this.#file);
  }

  /** Ends what still runs, and leaves nothing behind. */
  close(): void {
    this.#encoder?.kill();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

function argumentsOf(file: string, rate: number, width: number, height: number): string[] {
  const input = ['-f', 'rawvideo', '-pix_fmt', 'rgba', '-s', `${width}x${height}`, '-r', `${rate}`];
  const vp9 = ['-c:v', 'libvpx-vp9', '-crf', QUALITY, '-b:v', '0', '-row-mt', '1'];
  // Half as many samples of color as of brightness along each axis, which all players take: sizes are even.
  const output = ['-vf', 'pad=ceil(iw/2)*2:ceil(ih/2)*2', '-pix_fmt', 'yuv420p'];
  const codec = /\.webm$/i.test(file) ? vp9 : [];
  return ['-v', 'error', ...input, '-i', '-', ...output, ...codec, '-y', file];
}

/** ffmpeg, which takes pixels. */
function openEncoder(args: readonly string[]) {
  const encoder = spawn('ffmpeg', args, { stdio: ['pipe', 'ignore', 'pipe'] });
  let said = '';
  encoder.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  encoder.stdin.on('error', () => {}); // it has ended, which `over` tells
  const over = new Promise<void>((resolve, reject) => {
    encoder.on('error', (cause) => reject(noEncoder(cause)));
    encoder.on('close', (code) => (code === 0 ? resolve() : reject(failed(said))));
  });
  over.catch(() => {});
  return {
    async write(pixels: Uint8ClampedArray): Promise<void> {
      if (!encoder.stdin.write(pixels)) await Promise.race([once(encoder.stdin, 'drain'), over]);
    },
    end(): Promise<void> {
      encoder.stdin.end();
      return over;
    },
    kill: () => encoder.kill(),
  };
}

const noEncoder = (cause: Error): CorpuscleError =>
  new CorpuscleError(
    'FILE_NOT_FOUND',
    'movies are encoded by ffmpeg, which is not on the path: install it, or draw numbered pictures with --out frame-%04d.png',
    { cause },
  );

const failed = (said: string): CorpuscleError =>
  new CorpuscleError(
    'OUTPUT_FAILED',
    `ffmpeg made no movie: ${said.trim().split('\n').at(-1) || 'it has ended'}; give a name that ends with .webm or .mp4`,
  );
