import { CorpuscleError } from '@corpuscle/core';
import type { Picture } from '@corpuscle/view';
import type { VideoSample, VideoSampleSource } from 'mediabunny';

/** Of the encoders of browsers, those that WebM holds; the first that can be had is taken. */
const codecs = ['vp9', 'av1', 'vp8'] as const;
/** Bits of a pixel: edges of spheres compress badly. */
const BITS = 0.25;

/** What a movie is made with. */
export interface MovieOptions {
  readonly width: number;
  readonly height: number;
  /** Pictures a second. */
  readonly rate: number;
}

interface Parts {
  readonly rate: number;
  readonly source: VideoSampleSource;
  readonly sampleOf: (picture: Picture, from: number, length: number) => VideoSample;
  readonly finish: () => Promise<Uint8Array<ArrayBuffer>>;
}

/** A WebM file of pictures that come one after the other, encoded by the browser (WebCodecs). */
export class Movie {
  /** Pictures so far. */
  pictures = 0;
  readonly #parts: Parts;

  private constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** @throws CorpuscleError BACKEND_UNAVAILABLE where the browser encodes no movies of this size */
  static async open({ width, height, rate }: MovieOptions): Promise<Movie> {
    const {
      BufferTarget,
      getFirstEncodableVideoCodec,
      Output,
      VideoSample,
      VideoSampleSource,
      WebMOutputFormat,
    } = await import('mediabunny');
    const bitrate = Math.round(BITS * width * height * rate);
    const codec =
      typeof VideoEncoder === 'undefined'
        ? null
        : await getFirstEncodableVideoCodec([...codecs], { width, height, bitrate });
    if (!codec)
      throw new CorpuscleError(
        'BACKEND_UNAVAILABLE',
        `this browser encodes no movie of ${width}x${height} (WebCodecs with VP9, AV1 or VP8): choose a smaller one, another browser, or corpuscle render --movie`,
      );
    const target = new BufferTarget();
    const output = new Output({ format: new WebMOutputFormat(), target });
    const source = new VideoSampleSource({ codec, bitrate, keyFrameInterval: 2 });
    output.addVideoTrack(source, { frameRate: rate });
    await output.start();
    const sampleOf = ({ data }: Picture, timestamp: number, duration: number) =>
      new VideoSample(data, {
        ...{ format: 'RGBA', codedWidth: width, codedHeight: height, timestamp, duration },
      });
    const finish = async () => {
      await output.finalize();
      return new Uint8Array(target.buffer!);
    };
    return new Movie({ rate, source, sampleOf, finish });
  }

  /** Adds a picture; resolves when the encoder takes the next one. */
  async add(picture: Picture): Promise<void> {
    const { rate, source, sampleOf } = this.#parts;
    const sample = sampleOf(picture, this.pictures++ / rate, 1 / rate);
    try {
      await source.add(sample);
    } finally {
      sample.close();
    }
  }

  /** The bytes of the file. */
  end(): Promise<Uint8Array<ArrayBuffer>> {
    return this.#parts.finish();
  }
}
