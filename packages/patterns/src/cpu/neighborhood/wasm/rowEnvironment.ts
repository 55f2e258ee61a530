import { type BodyEnv, i32, type LaneValue, type WasmNode } from '@corpuscle/functor/wasm';
import { GiveAtOnce } from './GiveAtOnce.js';
import type { CentralValues, RowSetting } from './RowSetting.js';

/**
 * How the functor of a row reads and writes: `p` parameters, `n` the buffer, `x` the context, `i` the particle.
 *
 * @param counts numbers of neighbors of the particles that go side by side
 * @param rows their rows
 */
export function rowEnvironment(
  setting: RowSetting,
  central: CentralValues,
  counts: readonly WasmNode[],
  rows: readonly WasmNode[],
): BodyEnv {
  const { plan, parts, parameters, buffer, context, owned } = setting;
  const own = new Map(owned.map((output) => [output.output.field, output]));
  const atOnce = new GiveAtOnce(setting, rows);
  const alone = { lane: i32.const(0), lanes: i32.const(1) };
  const kept = (field: string) => {
    const { type, collects } = plan.ir.roles.n![field]!;
    return { name: field, type, kind: collects ? parts.sum(type) : parts.own(type) };
  };
  return {
    clamps: true,
    uniform: (role, field) => parts.count === 1 || role === 'p' || (role === 'n' && field in alone),
    field(role, field): LaneValue {
      if (role === 'p') return parameters.scalar(field);
      if (role === 'n') {
        const node = alone[field as keyof typeof alone];
        return node ? { uniform: true, type: 'u32', node } : parts.value('u32', 'i32', counts);
      }
      if (role === 'x') {
        const { type, locals } = context.get(field)!;
        return parts.value(type, parts.own(type), parts.get(locals));
      }
      const received = own.get(field);
      if (!received) return central.get(field)!;
      const { type } = received.output;
      return parts.value(type, parts.sum(type), parts.get(received.locals));
    },
    item: (role, field, index) =>
      role === 'p' ? parameters.item(field, index) : buffer.read(kept(field), index),
    write(role, field, op, value, mask) {
      const isContext = role === 'x';
      const { locals } = isContext ? context.get(field)! : own.get(field)!;
      const kind = isContext
        ? parts.own(context.get(field)!.type)
        : parts.sum(own.get(field)!.output.type);
      parts.set(locals, parts.keep(parts.changed(kind, op, parts.get(locals), value, mask)));
    },
    writeItem(_role, field, index, op, value, mask) {
      const given = plan.outputs.find((o) => o.field === field && o.scattered === 'atOnce');
      if (given) atOnce.give(given, index, op, value, mask);
      else buffer.write(kept(field), index, op, value, mask);
    },
  };
}
