import type { FunctorIR, ValueType } from '@corpuscle/functor/ir';
import {
  type BodyEnv,
  f32,
  f64,
  i32,
  type LaneValue,
  lowerBody,
  type WasmNode,
} from '@corpuscle/functor/wasm';
import { loadScalar } from '../../pair/wasm/attributes.js';
import { type FilledRow, fillRow, geometry } from './fillRow.js';
import type { RowSetting } from './RowSetting.js';

/**
 * A functor of pairs between its start and its stop: called for each neighbor as it is met, or for each that was packed.
 * @param run lowers the functor's body in an environment.
 */
export function visitPairs(
  setting: RowSetting,
  row: FilledRow,
  own: BodyEnv,
  run: (env: BodyEnv) => void,
): void {
  const { f, plan, buffer, neighborBases } = setting;
  const { real } = plan;
  const hook = (part: FunctorIR | null) => {
    if (part) lowerBody(part, { builder: f, lanes: 1, real, env: own, mask: null });
  };
  for (const { local, type } of setting.context.values()) f.set(local, zeroOf(type, real));
  hook(plan.start);
  const visit = (d: (k: number) => WasmNode, attribute: (k: number) => WasmNode) => {
    const attributes = plan.neighbor.map((_, k) => f.keep(attribute(k)));
    const differences = geometry.map((_, k) => f.keep(d(k)));
    run(pairEnvironment(setting, own, differences, attributes));
  };
  if (plan.visit === 'each') {
    fillRow(setting, row, (j, plain) =>
      visit(
        (k) => plain[k]!,
        (k) => loadScalar(plan.neighbor[k]!, neighborBases[k]!, j, real),
      ),
    );
  } else {
    fillRow(setting, row);
    f.range(i32.const(0), f.get(row.count), (k) => {
      visit(
        (axis) => buffer.load(geometry[axis]!, 'real', k),
        (n) => buffer.load(plan.neighbor[n]!.field, plan.neighbor[n]!.type, k),
      );
    });
  }
  hook(plan.stop);
}

/** The row's environment, and for one neighbor its displacement and its fields. */
function pairEnvironment(
  { plan }: RowSetting,
  own: BodyEnv,
  differences: readonly WasmNode[],
  attributes: readonly WasmNode[],
): BodyEnv {
  const place = (field: string) => plan.neighbor.findIndex((p) => p.field === field);
  const seen = (type: ValueType, node: WasmNode): LaneValue => ({ uniform: true, type, node });
  return {
    ...own,
    field(role, field) {
      if (role === 'd') return seen('real', differences[['x', 'y', 'z', 'r2'].indexOf(field)]!);
      if (role !== 'j') return own.field(role, field);
      return seen(plan.ir.roles.j![field]!.type, attributes[place(field)]!);
    },
  };
}

function zeroOf(type: ValueType, real: 'f64' | 'f32'): WasmNode {
  if (type !== 'real') return i32.const(0);
  return real === 'f32' ? f32.const(0) : f64.const(0);
}
