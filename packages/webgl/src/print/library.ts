/**
 * Functions every kernel may call. gpu.js compiles those that are used.
 *
 * - remainder: x − y·trunc(x / y), with the sign of x, as in JavaScript
 * - pow: GLSL leaves negative bases open
 * - tanh: GLSL may overflow for large arguments
 */
export const library: readonly string[] = [
  `function h_trunc(x) {
  if (x < 0.0) { return Math.ceil(x); }
  return Math.floor(x);
}`,
  `function h_whole(x) {
  if (x > 0.0) { return Math.floor(x); }
  return 0.0;
}`,
  `function h_low(x, size) {
  return x - size * Math.floor(x / size);
}`,
  `function h_round(x) {
  return Math.floor(x + 0.5);
}`,
  `function h_remainder(x, y) {
  return x - y * h_trunc(x / y);
}`,
  `function h_tanh(x) {
  if (x > 10.0) { return 1.0; }
  if (x < -10.0) { return -1.0; }
  return Math.tanh(x);
}`,
  `function h_pow(x, y) {
  if (y === 0.0) { return 1.0; }
  if (x > 0.0) { return Math.pow(x, y); }
  if (x === 0.0) { return y > 0.0 ? 0.0 : 1.0 / Math.abs(x); }
  const magnitude = Math.pow(Math.abs(x), y);
  if (y !== Math.floor(y)) { return Math.pow(x, y); }
  const half = 0.5 * y;
  return half === Math.floor(half) ? magnitude : -magnitude;
}`,
];
