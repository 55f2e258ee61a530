/**
 * WGSL functions that give JavaScript's answers where WGSL's built-ins differ or are not accurate enough (the
 * specification allows sin and cos an absolute error of 2⁻¹¹). Each is emitted once, when first asked for, under the
 * prefix of its functor.
 *
 * Not promised on a GPU: NaN and infinities, and the sign of zero.
 */
export class Support {
  readonly #functions = new Map<string, string>();

  constructor(readonly prefix: string) {}

  /** The declarations asked for so far. */
  get text(): string {
    return [...this.#functions.values()].map((text) => `${text}\n`).join('');
  }

  /** Half-way cases go up, toward +∞. */
  round(): string {
    return this.#add('round', (name) => [
      `fn ${name}(x: f32) -> f32 {`,
      '  let f = floor(x);',
      '  return select(f, f + 1.0f, x - f >= 0.5f);',
      '}',
    ]);
  }

  /**
   * The remainder with the sign of x; exact while |x / y| < 2²³. Devices may divide with an error of 2.5 units in the last
   * place: the whole quotient is then one too large or too small, and each of the two corrections has its case.
   */
  remainder(): string {
    return this.#add('mod', (name) => [
      `fn ${name}(x: f32, y: f32) -> f32 {`,
      '  let m = abs(y);',
      '  let a = abs(x);',
      '  if (a < m) { return x; }',
      '  var r = fma(-trunc(a / m), m, a);',
      '  if (r < 0.0f) { r += m; }',
      '  if (r >= m) { r -= m; }',
      '  return select(r, -r, x < 0.0f);',
      '}',
    ]);
  }

  /** Integers: x % 0 is 0. */
  integerRemainder(type: 'i32' | 'u32'): string {
    return this.#add(`mod_${type}`, (name) => [
      `fn ${name}(x: ${type}, y: ${type}) -> ${type} {`,
      `  if (y == ${type}(0)) { return ${type}(0); }`,
      '  return x % y;',
      '}',
    ]);
  }

  /** A whole power by repeated squaring. */
  power(exponent: number): string {
    const n = Math.abs(exponent);
    return this.#add(`pow_${exponent < 0 ? 'm' : ''}${n}`, (name) => {
      const lines = [`fn ${name}(x: f32) -> f32 {`, '  var r = 1.0f;', '  var s = x;'];
      for (let rest = n; rest > 0; rest >>= 1) {
        if (rest & 1) lines.push('  r *= s;');
        if (rest > 1) lines.push('  s *= s;');
      }
      return [...lines, exponent < 0 ? '  return 1.0f / r;' : '  return r;', '}'];
    });
  }

  /** x ** y: a negative base with a whole exponent has a real answer. */
  pow(): string {
    return this.#add('pow', (name) => [
      `fn ${name}(x: f32, y: f32) -> f32 {`,
      '  if (y == 0.0f) { return 1.0f; }',
      '  let m = pow(abs(x), y);',
      '  if (x >= 0.0f) { return m; }',
      `  if (floor(y) != y) { return ${this.bits(0x7fc00000)}; }`,
      '  return select(m, -m, abs(y - 2.0f * floor(y * 0.5f)) == 1.0f);',
      '}',
    ]);
  }

  /** Scaled, so that squares neither overflow nor vanish. */
  hypot(count: number): string {
    return this.#add(`hypot${count}`, (name) => {
      const names = Array.from({ length: count }, (_, k) => `x${k}`);
      const largest = names.slice(1).reduce((m, x) => `max(${m}, abs(${x}))`, 'abs(x0)');
      return [
        `fn ${name}(${names.map((x) => `${x}: f32`).join(', ')}) -> f32 {`,
        `  let m = ${largest};`,
        '  if (m == 0.0f) { return 0.0f; }',
        `  return m * sqrt(${names.map((x) => `(${x} / m) * (${x} / m)`).join(' + ')});`,
        '}',
      ];
    });
  }

  /** ±2 units in the last place for |x| < 10⁴: reduction to ±π/4 in three steps, then minimax polynomials. */
  sin(): string {
    const quarter = this.#quarterTurns();
    return this.#add('sin', (name) => [`fn ${name}(x: f32) -> f32 { return ${quarter}(x, 0); }`]);
  }

  cos(): string {
    const quarter = this.#quarterTurns();
    return this.#add('cos', (name) => [`fn ${name}(x: f32) -> f32 { return ${quarter}(x, 1); }`]);
  }

  #quarterTurns(): string {
    return this.#add('turn', (name) => [
      `fn ${name}(x: f32, turns: i32) -> f32 {`,
      '  let q = round(x * 0.636619772f);',
      '  let n = i32(q) + turns;',
      '  var r = fma(q, -1.57079601f, x);',
      '  r = fma(q, -3.13916473e-7f, r);',
      '  r = fma(q, -5.39030253e-15f, r);',
      '  let s = r * r;',
      '  var y = fma(fma(fma(fma(2.86567956e-6f, s, -1.98559923e-4f), s, 8.33338592e-3f), s, -1.66666672e-1f), s * r, r);',
      '  if ((n & 1) != 0) {',
      '    y = fma(fma(fma(fma(2.44677067e-5f, s, -1.38877297e-3f), s, 4.16666567e-2f), s, -0.5f), s, 1.0f);',
      '  }',
      '  return select(y, -y, (n & 2) != 0);',
      '}',
    ]);
  }

  /** A polynomial near zero, where 1 − 2 / (e²ˣ + 1) cancels; clamped where e²ˣ would overflow. */
  tanh(): string {
    return this.#add('tanh', (name) => [
      `fn ${name}(x: f32) -> f32 {`,
      '  let a = min(abs(x), 10.0f);',
      '  if (a < 0.625f) {',
      '    let s = x * x;',
      '    let p = ((((-5.70498872745e-3f * s + 2.06390887954e-2f) * s - 5.37397155531e-2f) * s + 1.33314422036e-1f) * s - 3.33332819422e-1f) * s;',
      '    return fma(p, x, x);',
      '  }',
      '  let y = 1.0f - 2.0f / (exp(2.0f * a) + 1.0f);',
      '  return select(y, -y, x < 0.0f);',
      '}',
    ]);
  }

  /**
   * NaN and infinities, by their bits: compilers may take a comparison with NaN for settled. A pattern of all ones in the
   * exponent is infinite or NaN.
   */
  test(name: 'isNaN' | 'isFinite'): string {
    return this.#add(name, (own) => [
      `fn ${own}(x: f32) -> bool {`,
      `  return (bitcast<u32>(x) & 0x7fffffffu) ${name === 'isNaN' ? '>' : '<'} 0x7f800000u;`,
      '}',
    ]);
  }

  /** The upper 32 bits of a product, from halves of 16 bits. */
  mulHigh(): string {
    return this.#add('mul_high', (name) => [
      `fn ${name}(a: u32, b: u32) -> u32 {`,
      '  let middle = (a >> 16u) * (b & 65535u) + (((a & 65535u) * (b & 65535u)) >> 16u);',
      '  let carry = (a & 65535u) * (b >> 16u) + (middle & 65535u);',
      '  return (a >> 16u) * (b >> 16u) + (middle >> 16u) + (carry >> 16u);',
      '}',
    ]);
  }

  /** A float from its bits at run time: constant expressions may be neither infinite nor NaN. */
  bits(pattern: number): string {
    const zero = this.#add('zero', (name) => [`var<private> ${name}: u32 = 0u;`]);
    return `bitcast<f32>(${pattern}u | ${zero})`;
  }

  #add(suffix: string, lines: (name: string) => readonly string[]): string {
    const name = `${this.prefix}_m_${suffix}`;
    if (!this.#functions.has(name)) this.#functions.set(name, lines(name).join('\n'));
    return name;
  }
}
