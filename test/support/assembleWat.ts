import wabt from 'wabt';

let toolkit: ReturnType<typeof wabt> | undefined;

/** The bytes that the WebAssembly Binary Toolkit makes of a module in text form. */
export async function assembleWat(text: string): Promise<Uint8Array> {
  toolkit ??= wabt();
  const { parseWat } = await toolkit;
  const features = { simd: true, threads: true, relaxed_simd: true, memory64: true };
  const module = parseWat('kernel.wat', text, features);
  try {
    return module.toBinary({ canonicalize_lebs: true }).buffer;
  } finally {
    module.destroy();
  }
}
