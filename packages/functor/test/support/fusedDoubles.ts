import { type Expression, type Function as FunctionNode, type Node, parse } from 'acorn';
import { doubleLibrary } from '../../src/lower/wgsl/double/doubleLibrary.js';
import { splitDouble } from '../../src/lower/wgsl/double/splitDouble.js';

/**
 * Double-single arithmetic of devices whose fma rounds once, on the host: its text becomes JavaScript whose every operation rounds
 * to floats. Software adapters have no such fma. Straight text of floats and vec2f alone is understood.
 */
type Vec2 = { readonly x: number; readonly y: number };
type Value = number | Vec2;

const word = new DataView(new ArrayBuffer(8));

/** a · b + c rounded once: the sum of doubles is rounded to odd, so that rounding it to a float is right. */
export function fusedMultiplyAdd(a: number, b: number, c: number): number {
  const p = a * b;
  const s = p + c;
  const t = s - p;
  const e = p - (s - t) + (c - t);
  if (e === 0 || !Number.isFinite(s)) return Math.fround(s);
  word.setFloat64(0, s);
  const bits = word.getBigInt64(0);
  if ((bits & 1n) === 0n) word.setBigInt64(0, bits + (e > 0 === s > 0 ? 1n : -1n));
  return Math.fround(word.getFloat64(0));
}

const each =
  (f: (a: number, b: number) => number) =>
  (a: Value, b: Value): Value => {
    const one = (k: 'x' | 'y') =>
      Math.fround(f(typeof a === 'number' ? a : a[k], typeof b === 'number' ? b : b[k]));
    return typeof a === 'number' && typeof b === 'number'
      ? Math.fround(f(a, b))
      : { x: one('x'), y: one('y') };
  };

const operations = {
  '+': each((a, b) => a + b),
  '-': each((a, b) => a - b),
  '*': each((a, b) => a * b),
  '/': each((a, b) => a / b),
};

const builtin = {
  operations,
  fma: fusedMultiplyAdd,
  vec2f: (x = 0, y = 0): Vec2 => ({ x: Math.fround(x), y: Math.fround(y) }),
  negate: (a: Value): Value => (typeof a === 'number' ? -a : { x: -a.x, y: -a.y }),
  P: { one: 1 },
};

/** JavaScript of an expression. */
function text(node: Node): string {
  const e = node as Expression;
  switch (e.type) {
    case 'Literal':
      return `Math.fround(${e.raw})`;
    case 'Identifier':
      return e.name;
    case 'MemberExpression':
      return `${text(e.object)}.${text(e.property)}`;
    case 'UnaryExpression':
      return `negate(${text(e.argument)})`;
    case 'BinaryExpression':
      return `operations['${e.operator}'](${text(e.left)}, ${text(e.right)})`;
    case 'CallExpression':
      return `${text(e.callee)}(${e.arguments.map(text).join(', ')})`;
    default:
      throw new Error(`double-single text on the host: ${e.type} is not understood`);
  }
}

function functionText(f: FunctionNode): string {
  const params = f.params.map((param) => (param as { name: string }).name).join(', ');
  const lines = (f.body as { body: Node[] }).body.map((node) => {
    const s = node as Node & { argument?: Node; declarations?: { id: Node; init: Node }[] };
    if (s.type === 'ReturnStatement') return `return ${text(s.argument!)};`;
    const [declared] = s.declarations!;
    return `let ${text(declared!.id)} = ${text(declared!.init)};`;
  });
  return `(${params}) => {\n${lines.join('\n')}\n}`;
}

/** Statements of WGSL that are JavaScript but for types and suffixes of numbers. */
const plain = (wgsl: string): string =>
  wgsl
    .replace(/fn (\w+)\(([^)]*)\) -> \w+/g, (_, name: string, list: string) => {
      const names = list.split(',').map((param) => param.split(':')[0]!.trim());
      return `function ${name}(${names.join(', ')})`;
    })
    .replace(/\b(\d[\d.e+-]*)f\b/g, '$1');

/** What keeps compilers from knowing a float. */
const withoutOpaque = (wgsl: string): string =>
  wgsl.replace(/fn ds_opaque[^}]*\}/, 'fn ds_opaque(a: f32) -> f32 { return a; }');

/** Evaluates expressions in `x` and `y` for all of their arguments, as `runDoubles` does on a device. */
export function runFused(
  cases: readonly { text: string; x: ArrayLike<number>; y?: ArrayLike<number> }[],
): Float64Array[] {
  return cases.map(({ text: expression, x, y = x }) => {
    const library = withoutOpaque(doubleLibrary(expression, true));
    const program = parse(
      plain(`${library}\nfn run(x: vec2f, y: vec2f) -> vec2f { return ${expression}; }`),
      {
        ecmaVersion: 2022,
      },
    );
    const functions = (program.body as unknown as FunctionNode[]).map(
      (f) => `const ${f.id!.name} = ${functionText(f)};`,
    );
    const names = Object.keys(builtin);
    const run = new Function(...names, `${functions.reverse().join('\n')}\nreturn run;`)(
      ...Object.values(builtin),
    ) as (x: Vec2, y: Vec2) => Vec2;
    const vector = (value: number): Vec2 => builtin.vec2f(...splitDouble(value));
    return Float64Array.from({ length: x.length }, (_, n) => {
      const found = run(vector(x[n]!), vector(y[n]!));
      return found.x + found.y;
    });
  });
}
