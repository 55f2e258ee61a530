/** Views of the shared heap in a JavaScript kernel: declared outside its function, renewed inside when the heap has grown. */
export const heapViews = {
  declare: 'let $buffer, F64, F32, I32, U32;',
  renew: `if (memory.buffer !== $buffer) {
    $buffer = memory.buffer;
    F64 = new Float64Array($buffer); F32 = new Float32Array($buffer);
    I32 = new Int32Array($buffer); U32 = new Uint32Array($buffer);
  }`,
} as const;
