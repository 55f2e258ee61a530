/**
 * The scalar functions that wasm kernels import as `math.<name>`: cold paths of the vector functions (huge arguments,
 * infinities, subnormals) fall back to them lane by lane. Pass it wherever a kernel is instantiated.
 */
export const mathImports: Readonly<Record<string, (...args: number[]) => number>> = {
  exp: Math.exp,
  log: Math.log,
  pow: Math.pow,
  sin: Math.sin,
  cos: Math.cos,
  tanh: Math.tanh,
  hypot: Math.hypot,
  /** JavaScript's `%`. */
  remainder: (a = Number.NaN, b = Number.NaN) => a % b,
};
