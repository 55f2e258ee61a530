import type { ValueType, WriteOp } from '@corpuscle/functor/ir';
import { type BodyEnv, f64, i32, type LaneValue, type WasmNode } from '@corpuscle/functor/wasm';
import { type CentralValues, narrowed, type RowSetting, wideOps } from './RowSetting.js';

/** How the functor of a row reads and writes: `p` parameters, `n` the buffer, `x` the context, `i` the particle. */
export function rowEnvironment(
  setting: RowSetting,
  central: CentralValues,
  count: number,
): BodyEnv {
  const { f, plan, parameters, buffer, context, owned } = setting;
  const locals = new Map(owned.map((own) => [own.output.field, own]));
  const uniform = (type: ValueType, node: WasmNode): LaneValue => ({ uniform: true, type, node });
  return {
    uniform: () => true,
    field(role, field) {
      if (role === 'p') return parameters.scalar(field);
      if (role === 'n') {
        const alone = { lane: i32.const(0), lanes: i32.const(1) };
        return uniform('u32', alone[field as 'lane'] ?? f.get(count));
      }
      if (role === 'x') {
        const { type, local } = context.get(field)!;
        return uniform(type, f.keep(f.get(local)));
      }
      const own = locals.get(field);
      if (!own) return central.get(field)!;
      const { type } = own.output;
      const value = f.get(own.value);
      return uniform(type, f.keep(type === 'real' ? narrowed(setting, value) : value));
    },
    item(role, field, index) {
      if (role === 'p') return parameters.item(field, index);
      const { type } = plan.ir.roles.n![field]!;
      return uniform(type, f.keep(buffer.load(field, type, index.node)));
    },
    write(role, field, op, value) {
      if (role === 'x') {
        const { type, local } = context.get(field)!;
        const ops = buffer.ops(type);
        const old = f.get(local);
        const next = op === '-=' ? ops.sub(old, value.node) : ops.add(old, value.node);
        f.set(local, op === '=' ? value.node : next);
        return;
      }
      const { output, value: local } = locals.get(field)!;
      f.set(local, changed(setting, output.type, op, f.get(local), value.node));
    },
    writeItem(_role, field, index, op, value) {
      const { type, collects } = plan.ir.roles.n![field]!;
      if (!collects) {
        buffer.update(field, type, index.node, op, value.node);
        return;
      }
      const ops = wideOps(type);
      const to = f.keep(buffer.element(field, index.node, type === 'real' ? 8 : 4));
      f.emit(ops.store(to, changed(setting, type, op, ops.load(to), value.node)));
    },
  };
}

/** A sum kept in f64 or i32, after a write. */
function changed(
  { plan }: RowSetting,
  type: ValueType,
  op: WriteOp,
  old: WasmNode,
  value: WasmNode,
): WasmNode {
  const wide = type === 'real' && plan.real === 'f32' ? f64.promote_f32(value) : value;
  if (op === '=') return wide;
  const ops = wideOps(type);
  return op === '-=' ? ops.sub(old, wide) : ops.add(old, wide);
}
