import type { FunctorIR, ValueType } from '@corpuscle/functor/ir';
import {
  type BodyEnv,
  i32,
  type LaneValue,
  lowerBody,
  type WasmNode,
} from '@corpuscle/functor/wasm';
import { loadScalar } from '../../pair/wasm/attributes.js';
import { type FilledRow, fillRow, geometry } from './fillRow.js';
import type { RowSetting } from './RowSetting.js';

/** Lowers the functor's body in an environment, for the lanes of a mask. */
export type Run = (env: BodyEnv, mask: WasmNode | null) => void;

/** Runs a part of a functor of pairs before or after its neighbors. */
function hook({ f, plan }: RowSetting, part: FunctorIR | null, env: BodyEnv): void {
  const { lanes, real } = plan;
  if (part) lowerBody(part, { builder: f, lanes, real, env, mask: null });
}

function beginContext({ parts, context }: RowSetting): void {
  for (const { locals, type } of context.values()) parts.set(locals, parts.zero(parts.own(type)));
}

/** A functor of pairs between its start and its stop, called for each neighbor of one particle as it is met. */
export function visitMet(setting: RowSetting, row: FilledRow, own: BodyEnv, run: Run): void {
  const { f, plan, neighborBases } = setting;
  beginContext(setting);
  hook(setting, plan.start, own);
  fillRow(setting, row, (j, plain) => {
    const seen = (type: ValueType, node: WasmNode): LaneValue => ({
      uniform: true,
      type,
      node: f.keep(node),
    });
    const attributes = plan.neighbor.map((place, k) =>
      seen(place.type, loadScalar(place, neighborBases[k]!, j, plan.real)),
    );
    const differences = plain.map((node) => seen('real', node));
    run(pairEnvironment(setting, own, differences, attributes), null);
  });
  hook(setting, plan.stop, own);
}

/**
 * A functor of pairs between its start and its stop, called for each packed neighbor. Lanes go on until the longest row of
 * them is at its end.
 */
export function visitPacked(
  setting: RowSetting,
  rows: readonly FilledRow[],
  own: BodyEnv,
  run: Run,
): void {
  const { f, plan, parts, buffer } = setting;
  beginContext(setting);
  hook(setting, plan.start, own);
  const most = f.variable(f.get(rows[0]!.count));
  for (const { count } of rows.slice(1))
    f.if(i32.gt_s(f.get(count), f.get(most)), () => f.set(most, f.get(count)));
  f.range(i32.const(0), f.get(most), (k) => {
    const index: LaneValue = { uniform: true, type: 'u32', node: k };
    const read = (name: string, type: ValueType) =>
      buffer.read({ name, type, kind: parts.own(type) }, index);
    const attributes = plan.neighbor.map(({ field, type }) => read(field, type));
    const differences = geometry.map((name) => read(name, 'real'));
    const left = parts.below(
      k,
      rows.map(({ count }) => f.get(count)),
    );
    run(pairEnvironment(setting, own, differences, attributes), left);
  });
  hook(setting, plan.stop, own);
}

/** The row's environment, and for one neighbor its displacement and its fields. */
function pairEnvironment(
  { plan }: RowSetting,
  own: BodyEnv,
  differences: readonly LaneValue[],
  attributes: readonly LaneValue[],
): BodyEnv {
  const place = (field: string) => plan.neighbor.findIndex((p) => p.field === field);
  return {
    ...own,
    field(role, field) {
      if (role === 'd') return differences[['x', 'y', 'z', 'r2'].indexOf(field)]!;
      return role === 'j' ? attributes[place(field)]! : own.field(role, field);
    },
  };
}
