import type { FunctorIR } from '@corpuscle/functor/ir';
import { type BodyEnv, f32, f64, i32, lowerBody, type WasmNode } from '@corpuscle/functor/wasm';
import { scalars } from '../../kernels/LaneParts.js';
import { loadScalar } from '../../pair/wasm/attributes.js';
import { walkListed } from '../../pair/wasm/walkEntry.js';
import { type RowWalk, walkRow } from '../rowWalk.js';
import { type CentralValues, narrowed, type RowSetting } from './RowSetting.js';

/** Names of a neighbor's displacement in the buffer. */
export const geometry = ['dx', 'dy', 'dz', 'r2'] as const;

/** The row whose neighbors are walked. */
export interface FilledRow {
  readonly walk: RowWalk;
  readonly i: WasmNode;
  /** The lane that it goes in. */
  readonly lane: number;
  readonly central: CentralValues;
  /** Local that counts the packed neighbors. */
  readonly count: number;
}

/**
 * Goes through the neighbors within the cutoff: packs them, or hands them to `met`. What is packed as it is written for every
 * listed particle, and counted if it is within the cutoff: there is nothing that the processor could guess wrongly.
 */
export function fillRow(
  setting: RowSetting,
  row: FilledRow,
  met?: (j: WasmNode, plain: readonly WasmNode[]) => void,
): void {
  const { f, plan } = setting;
  const plain = (d: readonly WasmNode[]) => d.map((value) => f.keep(narrowed(setting, value)));
  const { pack } = plan;
  if (met) walkRow(f, row.walk, row.i, (j, d) => met(j, plain(d)));
  else if (pack)
    walkRow(f, row.walk, row.i, (j, d) => putFiltered(setting, row, pack, j, plain(d)));
  else {
    const { walk, i, count } = row;
    const put = (j: WasmNode, d: readonly WasmNode[]) => {
      write(setting, row, j, plain(d));
      f.set(count, i32.add(f.get(count), f64.lt(d[3]!, walk.cutoff2)));
    };
    walkRow(f, walk, i, put, walkListed);
  }
}

/** Writes a neighbor after those packed: dx, dy, dz, r2 and perhaps its weight, its fields, and zeros for what it will receive. */
function write(
  { f, plan, parts, buffer, neighborBases }: RowSetting,
  { count, lane }: FilledRow,
  j: WasmNode,
  values: readonly WasmNode[],
): void {
  const k = f.get(count);
  buffer.put('$row', 'i32', k, lane, j);
  values.forEach((value, n) => {
    buffer.put([...geometry, 'weight'][n]!, parts.own('real'), k, lane, value);
  });
  plan.neighbor.forEach((field, n) => {
    const value = loadScalar(field, neighborBases[n]!, j, plan.real);
    buffer.put(field.field, parts.own(field.type), k, lane, value);
  });
  for (const { field, type, scattered } of plan.outputs) {
    const kind = parts.sum(type);
    if (scattered === 'kept') buffer.put(field, kind, k, lane, scalars[kind].const(0));
  }
}

/** Lets the call's filters look at a neighbor first. */
function putFiltered(
  setting: RowSetting,
  row: FilledRow,
  pack: FunctorIR,
  j: WasmNode,
  plain: readonly WasmNode[],
): void {
  const { f, plan, parameters, lookedBases } = setting;
  const { central } = row;
  const { real } = plan;
  const outputs = ['opt_dx', 'opt_dy', 'opt_dz', 'opt_r2', 'opt_weight'].filter(
    (name, k) => k < 4 || pack.roles.i?.[name],
  );
  const one = real === 'f32' ? f32.const(1) : f64.const(1);
  const values = new Map(outputs.map((name, k) => [name, f.variable(plain[k] ?? one)]));
  const keep = f.variable(i32.const(0));
  const looked = new Map(
    plan.looked.map((place, k) => [
      place.field,
      f.keep(loadScalar(place, lookedBases[k]!, j, real)),
    ]),
  );
  const env: BodyEnv = {
    uniform: () => true,
    field(role, field) {
      if (role === 'p') return parameters.scalar(field);
      if (role === 'i') return central.get(field)!;
      if (role === 'j')
        return { uniform: true, type: pack.roles.j![field]!.type, node: looked.get(field)! };
      return { uniform: true, type: 'real', node: plain[['x', 'y', 'z', 'r2'].indexOf(field)]! };
    },
    item: (_role, field, index) => parameters.item(field, index),
    write(_role, field, _op, value) {
      f.set(field === 'opt_keep' ? keep : values.get(field)!, value.node);
    },
    writeItem() {
      throw new Error('filters write no arrays');
    },
  };
  lowerBody(pack, { builder: f, lanes: 1, real, env, mask: null });
  f.if(f.get(keep), () => {
    const filtered = outputs.map((name) => f.get(values.get(name)!));
    write(setting, row, j, filtered);
    f.increment(row.count);
  });
}
