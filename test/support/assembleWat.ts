import wabt from 'wabt';

/** The bytes that the WebAssembly Binary Toolkit makes of a module in text form. */
export async function assembleWat(text: string): Promise<Uint8Array> {
  const { parseWat } = await wabt();
  const module = parseWat('kernel.wat', text, { simd: true, threads: true, relaxed_simd: true });
  try {
    return module.toBinary({ canonicalize_lebs: true }).buffer;
  } finally {
    module.destroy();
  }
}
