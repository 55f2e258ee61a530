import type { Value } from '../Draft.js';
import type { Input } from './Input.js';
import { quadricOf, quadricSlots, type Transform, transformed } from './quadrics.js';
import type { Msp } from './readMsp.js';

/** `particle_regions`: operators `region`. */
export function addRegions(input: Input, node: Msp): void {
  for (const item of node.items ?? [])
    for (const [name, region] of item.entries ?? []) {
      const shape = shapeOf(input, region);
      if (!shape) input.skip(item, `region ${name}`, 'its shape has no counterpart');
      else {
        input.setup.add('region', { name, shape });
        input.regions.add(name);
      }
    }
}

function shapeOf(input: Input, { entries }: Msp): Value | null {
  const parts: Value[] = [];
  for (const [key, value] of entries ?? []) {
    if (key === 'bounds') {
      const [low, high] = (value.items ?? []).map((corner) => input.quantities(corner));
      if (low?.length !== 3 || high?.length !== 3) return null;
      const sides = ['x', 'y', 'z'].map((axis, k) => [axis, [low[k]!, high[k]!]]);
      parts.push({ box: Object.fromEntries(sides) as Value });
    } else if (key === 'quadric') {
      const quadric = quadricShape(input, value);
      if (!quadric) return null;
      parts.push(quadric);
    } else return null;
  }
  if (parts.length === 0) return null;
  return parts.length === 1 ? parts[0]! : { intersection: parts };
}

function quadricShape(input: Input, { entries }: Msp): Value | null {
  const shape = entries?.get('shape');
  const plane = shape?.entries?.get('plane');
  const q = quadricOf(plane ? input.lengths(plane) : String(shape?.scalar));
  if (!q) return null;
  const transforms: Transform[] = [];
  for (const step of entries?.get('transform')?.items ?? [])
    for (const [key, value] of step.entries ?? []) {
      const rotation = /^([xyz])rot$/.exec(key)?.[1] as 'x' | 'y' | 'z' | undefined;
      if (rotation) transforms.push({ rotate: rotation, angle: input.number(value, {}) });
      else if (key === 'scale' || key === 'translate') {
        const by = input.lengths(value);
        transforms.push(key === 'scale' ? { scale: by } : { translate: by });
      } else return null;
    }
  return { quadric: quadricSlots(transformed(q, transforms)) };
}

/** A region expression: names, `and`, `or`, `not`, parentheses. Null for any other text. */
export function regionExpression(input: Input, text: string): Value | null {
  const words = text.match(/[\w.]+|[()]/g) ?? [];
  let at = 0;
  let depth = 0;
  const either = (word: string, key: string, inner: () => Value | null) => (): Value | null => {
    const parts = [inner()];
    while (words[at]?.toLowerCase() === word) {
      at++;
      parts.push(inner());
    }
    if (parts.includes(null)) return null;
    return parts.length === 1 ? parts[0]! : { [key]: parts as Value };
  };
  const one = (): Value | null => {
    const word = words[at++];
    if (word === undefined || ++depth > 200) return null;
    if (word.toLowerCase() === 'not') {
      const inner = one();
      return inner === null ? null : { complement: inner };
    }
    if (word !== '(') return input.regions.has(word) ? word : null;
    const inner = any();
    return words[at++] === ')' ? inner : null;
  };
  const all = either('and', 'intersection', one);
  const any = either('or', 'union', all);
  const region = any();
  return at === words.length ? region : null;
}
