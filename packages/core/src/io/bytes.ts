const encoder = new TextEncoder();

/** The bytes of a text in UTF-8. */
export const utf8 = (text: string): Uint8Array<ArrayBuffer> => encoder.encode(text);

/** The text that bytes are in UTF-8. */
export const textOfBytes = (bytes: Uint8Array): string =>
  new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);

/** Pieces one after the other. */
export function joinBytes(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    out.set(piece, at);
    at += piece.length;
  }
  return out;
}

/** Bytes that a text has in UTF-8. */
export function byteLength(text: string): number {
  let bytes = text.length;
  for (let k = 0; k < text.length; k++) {
    const unit = text.charCodeAt(k);
    if (unit < 0x80) continue;
    // A pair of surrogates has 4 bytes; a single one is written as U+FFFD, with 3.
    const isPair = unit >>> 10 === 0x36 && text.charCodeAt(k + 1) >>> 10 === 0x37;
    bytes += unit < 0x800 ? 1 : 2;
    if (isPair) k++;
  }
  return bytes;
}

/** Bytes in base 64. */
export function base64(bytes: Uint8Array): string {
  let text = '';
  for (let k = 0; k < bytes.length; k += 0x8000)
    text += String.fromCharCode(...bytes.subarray(k, k + 0x8000));
  return btoa(text);
}
