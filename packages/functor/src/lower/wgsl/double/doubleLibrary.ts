import { arithmetic } from './arithmetic.js';
import { elementary } from './elementary.js';
import { wholeAngle } from './wholeAngle.js';

const USES = /\bds_([a-z0-9_]+)\b/g;

/** Names of library functions (without `ds_`) that a text mentions. */
export function doubleUses(text: string): Set<string> {
  return new Set([...text.matchAll(USES)].map((match) => match[1]!));
}

/**
 * WGSL declarations of all functions of the double-single library that a text calls, and what they need in turn. They read
 * `P.one`, a member of the kernel's uniform record that must be 1.
 *
 * @param fused whether fma(a, b, -a·b) is the exact error of a product on this device (`probeDoubles`).
 * @example doubleLibrary('let z = ds_mul(x, y);', false) → 'fn ds_fast… fn ds_product… fn ds_mul…'
 */
export function doubleLibrary(text: string, fused: boolean): string {
  const known: Readonly<Record<string, string>> = {
    ...arithmetic(fused),
    ...elementary,
    ...wholeAngle,
  };
  const found = new Map<string, string>();
  const add = (name: string): void => {
    if (found.has(name)) return;
    const declaration = known[name] ?? made(name);
    if (declaration === null) return;
    found.set(name, declaration);
    for (const needed of doubleUses(declaration)) add(needed);
  };
  for (const name of doubleUses(text)) add(name);
  return [...found.values()].join('');
}

/** Functions that come in endless variety: whole powers `power_3`, `power_m2`, and `hypot_2`. */
function made(name: string): string | null {
  const [, kind, minus, digits] = /^(power|hypot)_(m?)(\d+)$/.exec(name) ?? [];
  if (kind === undefined) return null;
  return kind === 'power'
    ? power(name, Number(digits), minus === 'm')
    : hypot(name, Number(digits));
}

/** By repeated squaring: 6 units for each multiplication, doubled by the squarings after it. */
function power(name: string, n: number, inverse: boolean): string {
  const lines = [
    `\nfn ds_${name}(x: vec2f) -> vec2f {`,
    '  var r = vec2f(1.0, 0.0);',
    '  var s = x;',
  ];
  let started = false;
  for (let rest = n; rest > 0; rest >>= 1) {
    if (rest & 1) lines.push(started ? '  r = ds_mul(r, s);' : '  r = s;');
    started ||= (rest & 1) === 1;
    if (rest > 1) lines.push('  s = ds_square(s);');
  }
  const result = inverse ? 'ds_inverse(r)' : 'r';
  return [...lines, `  return ${result};`, '}'].join('\n');
}

/** Scaled by a power of two, so that squares neither overflow nor vanish; 24 units. */
function hypot(name: string, count: number): string {
  const names = Array.from({ length: count }, (_, k) => `x${k}`);
  const largest = names.map((x) => `abs(${x}.x)`).reduce((m, x) => `max(${m}, ${x})`);
  return [
    `\nfn ds_${name}(${names.map((x) => `${x}: vec2f`).join(', ')}) -> vec2f {`,
    `  let m = ${largest};`,
    '  if (m == 0.0) { return vec2f(0.0, 0.0); }',
    '  let e = clamp(i32(bitcast<u32>(m) >> 23u) - 127, -120, 120);',
    '  var sum = vec2f(0.0, 0.0);',
    ...names.flatMap((x) => [
      `  let y${x} = ds_scale(${x}, -e);`,
      `  sum = ds_add(sum, ds_mul(y${x}, y${x}));`,
    ]),
    '  return ds_scale(ds_sqrt(sum), e);',
    '}',
  ].join('\n');
}
