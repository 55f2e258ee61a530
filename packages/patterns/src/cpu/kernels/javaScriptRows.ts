import type { FunctorIR, ValueType } from '@corpuscle/functor/ir';
import { fieldUse } from '@corpuscle/functor/passes';
import { argumentNames } from './argumentNames.js';
import type { FieldBinding } from './FieldBinding.js';
import { plus } from './HeapText.js';
import type { JavaScriptFrame } from './javaScriptParameters.js';

const VIEW = { f64: 'F64', f32: 'F32', u32: 'U32', i32: 'I32', u64: 'U32' } as const;

/** How a JavaScript kernel over particles holds the fields of `row` in variables while the functor runs. */
export interface JavaScriptRows {
  /** The variable that holds a field. */
  local(field: string): string;
  /** `target op= value` for the variable of a field, integers wrapped to 32 bits. */
  change(field: string, op: '=' | '+=' | '-=', value: string): string;
  /** `body` between reading the fields it uses and storing those it writes. */
  around(body: string): string;
}

/** Fields of particles in JavaScript: the same rows as rowPointers reaches in wasm. */
export function javaScriptRows(
  frame: JavaScriptFrame,
  ir: FunctorIR,
  bindings: readonly FieldBinding[],
): JavaScriptRows {
  const use = fieldUse(ir);
  const written = use.writes.get('i') ?? new Set<string>();
  const used = bindings.filter(({ field }) => written.has(field) || use.reads.get('i')?.has(field));
  const types = new Map<string, ValueType>(used.map(({ field, type }) => [field, type]));
  const local = (field: string) => `i$${field}`;

  const at = ({ storage, block, width, component }: FieldBinding): string => {
    const wide = storage === 'u64' ? 2 : 1; // ids: the low word of 64 bits
    const shift = storage === 'f64' ? 3 : 2;
    const slot = argumentNames.block(block);
    const base = frame.address(`b$${block}`, slot, shift);
    const stride = wide * width;
    return `${VIEW[storage]}[${base} + ${stride === 1 ? 'row' : `${stride} * row`}${plus(wide * component)}]`;
  };
  const load = (b: FieldBinding): string => {
    const cast =
      b.type === 'u32' ? ' >>> 0' : b.type === 'i32' && b.storage !== 'i32' ? ' | 0' : '';
    return `let ${local(b.field)} = ${at(b)}${cast};`;
  };
  const store = (b: FieldBinding): string => `${at(b)} = ${local(b.field)};`;

  return {
    local,
    change(field, op, value) {
      const target = local(field);
      const type = types.get(field);
      if (type === 'real' || op === '=') return `${target} ${op} ${value};`;
      return `${target} = (${target} ${op[0]} ${value}) ${type === 'u32' ? '>>> 0' : '| 0'};`;
    },
    around: (body) =>
      [
        ...used.map(load),
        `functor: {\n${body}\n}`,
        ...used.filter(({ field }) => written.has(field)).map(store),
      ].join('\n'),
  };
}
