import type { Functor } from '@corpuscle/functor';
import type { FunctorIR } from '@corpuscle/functor/ir';
import { fieldUse } from '@corpuscle/functor/passes';
import type { KernelBuffer, KernelSource, ParamType } from '../device/GpuKernel.js';
import { type DeviceReal, realText, realType, updateText } from '../double/DeviceReals.js';
import { recordEnv, recordTreeWgsl } from '../wgsl/recordWgsl.js';
import { FunctorTables } from './FunctorTables.js';
import { lowerWith } from './functorText.js';
import { type RecordText, recordBindings, recordDeclarations } from './recordText.js';

/** How the indices of a space meet the lanes of the device. */
export interface BlockShape {
  /** Lanes of a workgroup. */
  readonly size: number;
  /** A lane for each index instead of a workgroup. */
  readonly elements: boolean;
  /** Workgroups take the next index from a counter, for uneven work. */
  readonly stealing: boolean;
  /** Arrays of floats, whatever `real` is. */
  readonly narrow: readonly string[];
}

export interface BlockText {
  readonly source: KernelSource;
  readonly tables: FunctorTables;
  readonly arrays: readonly BlockArray[];
  /** Arrays that the lanes of a block share. */
  readonly shared: readonly BlockArray[];
  /** Whether writes may be refused, which is then noted in `fault`. */
  readonly guarded: boolean;
}

interface BlockArray {
  readonly name: string;
  readonly scalar: 'f32' | 'vec2f' | 'i32' | 'u32';
  /** Floats that the functor sees as double-single numbers. */
  readonly widened: boolean;
  readonly written: boolean;
  /** Of an array that a block shares; 0 for others, whose calls tell. */
  readonly length: number;
}

/**
 * The kernel of a block functor:
 *
 *   one workgroup an index        group → index                                     plain calls
 *   a fixed number of workgroups  index = group, group + groups, …                  calls that return results
 *   work stealing                 index = counter++, until none is left             uneven work
 *   elements                      lane → index
 *
 * Bindings: arrays, tables, fault, counter, records.
 */
export function blockKernel(
  functor: Functor,
  ir: FunctorIR,
  shape: BlockShape,
  state: DeviceReal,
  records: RecordText | null,
): BlockText {
  const { size, elements, stealing } = shape;
  const tables = new FunctorTables(ir, '', state);
  const arrays = arraysOf(ir, 'a', state, shape.narrow);
  const shared = arraysOf(ir, 'b', state);
  const lowered = lowerWith(
    functor,
    ir,
    {
      param: (field) => tables.param(field),
      item(role, field, index) {
        if (role === 'p') return tables.item(field, index);
        if (role === 'acc') return recordEnv.item(role, field, index);
        if (role === 'b') {
          const { length } = shared.find(({ name }) => name === field)!;
          return `s_${field}[min(${index}, ${length - 1}u)]`;
        }
        const stored = `a_${field}[min(${index}, max(P.l_${field}, 1u) - 1u)]`;
        return arrays.find(({ name }) => name === field)!.widened
          ? `vec2f(${stored}, 0.0)`
          : stored;
      },
      writeItem(role, field, index, op, value) {
        if (role === 'acc') return recordEnv.writeItem(field, index, value);
        const k = (role === 'b' ? shared : arrays).findIndex(({ name }) => name === field);
        const { scalar, widened } = role === 'b' ? shared[k]! : arrays[k]!;
        const number = role === 'b' ? arrays.length + k : k;
        const length = role === 'b' ? `${shared[k]!.length}u` : `P.l_${field}`;
        const target = `${role === 'b' ? 's' : 'a'}_${field}[at]`;
        const write = widened
          ? `var wide = vec2f(${target}, 0.0); ${updateText('vec2f', 'wide', op, value)} ${target} = wide.x;`
          : updateText(scalar, target, op, value);
        return `{ let at = ${index}; if (at < ${length}) { ${write} } else { refuse(${number}u, at); } }`;
      },
    },
    '',
    state,
  );
  const guarded = arrays.some(({ written }) => written) || shared.some(({ written }) => written);
  const params: Record<string, ParamType> = { blocks: 'u32', nx: 'u32', ny: 'u32', groups: 'u32' };
  for (const { name } of arrays) params[`l_${name}`] = 'u32';
  const buffers = arrays.map(
    ({ name, scalar, written }): KernelBuffer => ({
      name: `a_${name}`,
      type: `array<${scalar}>`,
      access: written ? 'read_write' : 'read',
    }),
  );
  buffers.push(...tables.buffers);
  if (guarded) buffers.push({ name: 'fault', type: 'array<atomic<u32>, 4>', access: 'read_write' });
  if (stealing)
    buffers.push({ name: 'counter', type: 'array<atomic<u32>, 4>', access: 'read_write' });
  if (records) buffers.push(...recordBindings);
  const memory = shared.map(
    ({ name, scalar, length }) => `var<workgroup> s_${name}: array<${scalar}, ${length}>;\n`,
  );
  const [lane, lanes] = elements ? ['0u', '1u'] : ['lane', `${size}u`];
  const call = `let line = at / P.nx;
    ${lowered.name}(at, at % P.nx, line % P.ny, line / P.ny, ${lane}, ${lanes});`;
  const clear = shared.map(
    ({ name, scalar, length }) =>
      `for (var k = lane; k < ${length}u; k += ${size}u) { s_${name}[k] = ${zeroOf(scalar)}; }`,
  );
  const fresh =
    shared.length > 0 ? `workgroupBarrier(); ${clear.join(' ')} workgroupBarrier();` : '';
  const source: KernelSource = {
    label: functor.name,
    about: `Block functor '${functor.name}': a workgroup a block. Reads outside an array are clamped, writes outside are refused and noted.`,
    workgroupSize: size,
    buffers,
    params: { ...params, ...tables.params, ...(records ? { one: 'f32' as const } : {}) },
    declarations: `${guarded ? refuseWgsl : ''}${memory.join('')}${stealing ? 'var<workgroup> taken: u32;\n' : ''}${records ? recordDeclarations(records, size) : ''}${lowered.structs}
${lowered.functions}`,
    body: `
  ${records ? 'startRecord();' : ''}
  ${loopText(shape, records !== null, fresh, call)}
  ${records ? recordTreeWgsl(size, 'group') : ''}`,
  };
  return { source, tables, arrays, shared, guarded };
}

function loopText(
  { size, elements, stealing }: BlockShape,
  returns: boolean,
  fresh: string,
  call: string,
): string {
  if (elements && returns)
    return `for (var at = index; at < P.blocks; at += P.groups * ${size}u) {
    ${call}
  }`;
  if (elements) return `if (index < P.blocks) { let at = index; ${call} }`;
  if (stealing)
    return `loop {
    if (lane == 0u) { taken = atomicAdd(&counter[0], 1u); }
    let at = workgroupUniformLoad(&taken);
    if (at >= P.blocks) { break; }
    ${fresh}
    ${call}
  }`;
  if (returns)
    return `for (var at = group; at < P.blocks; at += P.groups) {
    ${fresh}
    ${call}
  }`;
  return `if (group < P.blocks) { let at = group; ${call} }`; // fresh memory is zero
}

/** Word 0: 1 + number of the array; word 1: the largest index refused. */
const refuseWgsl = `
fn refuse(number: u32, at: u32) {
  atomicMax(&fault[0], number + 1u);
  atomicMax(&fault[1], at);
}
`;

const zeroOf = (scalar: BlockArray['scalar']): string =>
  scalar === 'i32' ? '0' : scalar === 'u32' ? '0u' : realText(scalar).zero;

/** Arrays that the functor uses, those of a call or those that the lanes of a block share. */
function arraysOf(
  ir: FunctorIR,
  role: 'a' | 'b',
  state: DeviceReal,
  narrow: readonly string[] = [],
): BlockArray[] {
  const scalars = { real: realType(state), i32: 'i32', u32: 'u32', bool: 'u32' } as const;
  const { reads, writes } = fieldUse(ir);
  const written = writes.get(role) ?? NONE;
  const isUsed = (name: string) => reads.get(role)?.has(name) || written.has(name);
  return Object.entries(ir.roles[role] ?? {})
    .filter(([name, { size }]) => (role === 'a' ? isUsed(name) : size !== undefined))
    .map(([name, { type, size: length = 0 }]) => {
      const widened = scalars[type] === 'vec2f' && narrow.includes(name);
      const scalar = widened ? 'f32' : scalars[type];
      return { name, scalar, widened, written: written.has(name), length };
    });
}

const NONE: ReadonlySet<string> = new Set();
