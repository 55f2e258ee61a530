import type { Slots, Value } from '../Draft.js';
import { FAR } from './boxes.js';
import { AXES, type FixParts, type Script } from './Script.js';
import { Unmapped } from './Unmapped.js';

type Make = (script: Script, args: readonly string[], slot: Slots) => FixParts;

/** Numbers of a wall, in their order: those of `harmonic` have a size that nothing uses. */
const FORMS: Readonly<Record<string, readonly string[]>> = {
  lj93: ['epsilon', 'sigma', 'rcut'],
  lj126: ['epsilon', 'sigma', 'rcut'],
  harmonic: ['stiffness', '', 'rcut'],
};

function numbersOf(script: Script, form: string, words: readonly string[]): Slots {
  const given = FORMS[form]!.map((name, k) => [name, script.number(words[k])] as const);
  return Object.fromEntries(given.filter(([name]) => name !== ''));
}

/** `wall/form face coordinate numbers…`, several times. */
export const walls =
  (form: string): Make =>
  (script, args, slot) => {
    const force: Value[] = [];
    let k = 0;
    for (; /^[xyz](lo|hi)$/.test(args[k] ?? ''); k += 5) {
      const numbers = numbersOf(script, form, args.slice(k + 2, k + 5));
      force.push({ wall: { form, plane: faceOf(script, args, k), ...numbers, ...slot } });
    }
    const rest = args.slice(k).join(' ');
    if (rest !== '' && rest !== 'units box') throw new Unmapped(`'${rest}' has no counterpart`);
    return { force };
  };

function faceOf(script: Script, args: readonly string[], k: number): Value {
  const [face, word] = [args[k]!, args[k + 1]];
  const axis = AXES.indexOf(face[0]!);
  const isLow = face.endsWith('lo');
  const isBox = args.slice(-2).join(' ') === 'units box';
  const edge = (isLow ? script.box?.lower : script.box?.upper)?.[axis];
  if (word === 'EDGE' && edge === undefined) throw new Unmapped('the box is not known yet');
  const at =
    word === 'EDGE' ? edge! : script.number(word) * (isBox ? 1 : script.crystal.spacing[axis]!);
  return planeAt(axis, at, isLow);
}

/** A plane across an axis, whose particles are above it or below. */
function planeAt(axis: number, at: number, isLow: boolean): Value {
  const along = (value: number) => AXES.map((_, n) => (n === axis ? value : 0));
  return { point: along(at), normal: along(isLow ? 1 : -1) };
}

/** `wall/reflect face coordinate`, several times. */
export const reflect: Make = (script, args, slot) => {
  const drift: Value[] = [];
  for (let k = 0; /^[xyz](lo|hi)$/.test(args[k] ?? ''); k += 2)
    drift.push({ reflect: { plane: faceOf(script, args, k), ...slot } });
  return { drift };
};

/** `wall/region region form numbers…`: the surface of a sphere, a cylinder without ends, or the faces of a block around the particles. */
export const wallOfRegion: Make = (script, [id, form = '', ...words], slot) => {
  const region = script.regions.get(id ?? '');
  if (!region) throw script.mistake(`there is no region '${id ?? ''}': define it before`);
  if (!Object.hasOwn(FORMS, form)) throw new Unmapped(`wall/region ${form} has no counterpart`);
  const numbers = numbersOf(script, form, words);
  const surfaces = region.isAtEdge ? null : surfacesOf(region.shape as Shape);
  if (!surfaces)
    throw new Unmapped(
      `the surface of region ${id} has no counterpart: a sphere, a cylinder between INF and INF and the inside of a block have one`,
    );
  return {
    force: surfaces.map((surface) => ({ wall: { form, ...surface, ...numbers, ...slot } })),
  };
};

interface Shape {
  readonly complement?: Shape;
  readonly sphere?: Slots;
  readonly cylinder?: Slots & { readonly from: readonly number[]; readonly to: readonly number[] };
  readonly box?: Readonly<Record<string, readonly [number, number]>>;
}

/** Surfaces of walls; null where there are none for a shape. */
function surfacesOf(shape: Shape): Slots[] | null {
  const isOutside = shape.complement !== undefined;
  const { sphere, cylinder, box } = shape.complement ?? shape;
  const side = isOutside ? { side: 'outside' } : {};
  if (sphere) return [{ sphere: { ...sphere, ...side } }];
  if (cylinder?.infinite) {
    const { from, to, radius } = cylinder;
    const axis = to.map((x, k) => x - from[k]!);
    return [{ cylinder: { point: from, axis, radius, ...side } }];
  }
  if (!box || isOutside) return null;
  return Object.entries(box).flatMap(([name, [low, high]]) => {
    const axis = AXES.indexOf(name);
    const faces = [planeAt(axis, low, true), planeAt(axis, high, false)];
    return faces.filter((_, k) => Math.abs([low, high][k]!) < FAR).map((plane) => ({ plane }));
  });
}
