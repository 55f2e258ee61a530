import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** Pixels of a unit of the SVG: sharp on screens and in print. */
const SCALE = 2;

/** The font of all letters: a machine need not have any. */
const FONT = {
  family: 'Didact Gothic',
  file: '@expo-google-fonts/didact-gothic/400Regular/DidactGothic_400Regular.ttf',
} as const;

/**
 * An SVG as PNG, 1440 × 880 pixels for a plot. Letters that the font lacks become boxes; it has Latin, Greek and Cyrillic ones.
 * @example
 * const bytes = await plotPng(plotSvg({ title: 'melt', x: 'time', y: 'temperature', series }));
 */
export async function plotPng(svg: string): Promise<Uint8Array> {
  const { initWasm, Resvg } = await import('@resvg/resvg-wasm');
  const { resolve } = createRequire(import.meta.url);
  ready ??= initWasm(readFileSync(resolve('@resvg/resvg-wasm/index_bg.wasm')));
  await ready;
  const { family, file } = FONT;
  using picture = freed(
    new Resvg(svg, {
      fitTo: { mode: 'zoom', value: SCALE },
      font: {
        fontBuffers: [readFileSync(resolve(file))],
        defaultFontFamily: family,
        sansSerifFamily: family,
      },
    }),
  );
  using image = freed(picture.render());
  return image.asPng();
}

/** WebAssembly is compiled once in a process. */
let ready: Promise<void> | undefined;

/** What has memory in WebAssembly, given back at the end of the block. */
function freed<T extends { free(): void }>(owner: T): T & Disposable {
  return Object.assign(owner, { [Symbol.dispose]: () => owner.free() });
}
