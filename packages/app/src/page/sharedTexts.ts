import type { Texts } from '../session/messages.js';

const through = async (bytes: Uint8Array<ArrayBuffer>, stream: GenericTransformStream) =>
  new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());

/** Texts as the end of an address: deflated, in letters that need no escape. */
export async function encodeTexts(texts: Texts): Promise<string> {
  const plain = new TextEncoder().encode(JSON.stringify(texts));
  const packed = await through(plain, new CompressionStream('deflate-raw'));
  const letters = btoa(Array.from(packed, (byte) => String.fromCharCode(byte)).join(''));
  return letters.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** The texts of an address; null where there are none that can be read. */
export async function decodeTexts(end: string): Promise<Texts | null> {
  try {
    const letters = atob(end.replaceAll('-', '+').replaceAll('_', '/'));
    const packed = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
    const plain = await through(packed, new DecompressionStream('deflate-raw'));
    const texts = JSON.parse(new TextDecoder().decode(plain)) as Partial<Texts>;
    if (typeof texts.simulation !== 'string') return null;
    return { simulation: texts.simulation, potential: String(texts.potential ?? '') };
  } catch {
    return null;
  }
}
