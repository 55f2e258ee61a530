import type { FunctorIR, Reduction } from '@corpuscle/functor/ir';
import { lowerToWgsl, type WgslEnv } from '@corpuscle/functor/wgsl';
import type { KernelSource } from '../device/GpuKernel.js';
import { type DeviceReal, realType } from '../double/DeviceReals.js';
import {
  type DeviceRecord,
  recordEnv,
  recordLanes,
  recordMemoryWgsl,
  recordTreeWgsl,
} from '../wgsl/recordWgsl.js';

/** What kernels that fill or join records of a reduction are made of. */
export interface RecordText {
  readonly record: DeviceRecord;
  /** Threads of a workgroup whose records fit its memory. */
  readonly lanes: number;
  /** `joinOther()`: the user's combination and ours, as one function. */
  readonly joining: string;
}

/** Bindings of a kernel that fills or joins records; one that fills them does not use `partials`. */
export const recordBindings = [
  { name: 'identity', type: 'array<u32>', access: 'read' },
  { name: 'partials', type: 'array<u32>', access: 'read' },
  { name: 'results', type: 'array<u32>', access: 'read_write' },
] as const;

export function recordText({ reals, ids, combineIr }: Reduction, state: DeviceReal): RecordText {
  const record = { reals, ids, real: realType(state) };
  return { record, lanes: recordLanes(record), joining: joiningText(combineIr!, state) };
}

/** Declarations for a kernel of so many threads: their records, and the function that joins two. */
export const recordDeclarations = ({ record, joining }: RecordText, lanes: number): string =>
  `${recordMemoryWgsl(record, lanes)}${joining}`;

/** The kernel of one workgroup that joins the records of all others. @param name of the functor */
export function joiningKernel(name: string, text: RecordText): KernelSource {
  const { lanes } = text;
  return {
    label: `${name}: combine`,
    about: 'One workgroup joins the records of all others, in a fixed order.',
    workgroupSize: lanes,
    buffers: recordBindings,
    params: { groups: 'u32', one: 'f32' },
    declarations: recordDeclarations(text, lanes),
    body: `
  startRecord();
  for (var g = lane; g < P.groups; g += ${lanes}u) {
    loadOther(g);
    joinOther();
  }
  ${recordTreeWgsl(lanes, '0u')}`,
  };
}

function joiningText(ir: FunctorIR, real: DeviceReal): string {
  const env: WgslEnv = {
    param: (field) => {
      throw new Error(`a combine function has no parameter ${field}`);
    },
    item: recordEnv.item,
    writeItem: (_role, field, index, _op, value) => recordEnv.writeItem(field, index, value),
  };
  const { structs, functions, name } = lowerToWgsl(ir, { name: `functor_${ir.name}`, env, real });
  return `${structs}${functions}
fn joinOther() {
  var acc: ${name}_acc;
  var i: ${name}_i;
  ${name}(&acc, i);
}
`;
}
