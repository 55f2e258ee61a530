import {
  type BodyEnv,
  f32,
  f64,
  i32,
  type LaneValue,
  type WasmNode,
} from '@corpuscle/functor/wasm';
import type { PairOutput } from '../PairPlan.js';
import { loadScalar } from './attributes.js';
import type { ScalarSetting } from './ScalarSetting.js';
import { addToPlace, loadPlace, storePlace } from './storedOutput.js';

/** What the functor reads of the central particle, by field. */
export type CentralValues = ReadonlyMap<string, LaneValue>;

/** How the functor of one pair reads and writes. `d` is x, y, z and r², in f64. */
export function scalarPairEnvironment(
  setting: ScalarSetting,
  i: WasmNode,
  j: WasmNode,
  [x, y, z, r2]: readonly WasmNode[],
  central: CentralValues,
): BodyEnv {
  const { f, plan, neighborBases, parameters, outputs } = setting;
  const { real } = plan;
  const d: Record<string, WasmNode> = {};
  for (const [name, value] of Object.entries({ x, y, z, r2 }))
    d[name] = f.keep(real === 'f32' ? f32.demote_f64(value!) : value!);
  const neighbor = new Map(
    plan.neighbor.map((place, k) => [
      place.field,
      f.keep(loadScalar(place, neighborBases[k]!, j, real)),
    ]),
  );
  return {
    uniform: () => true,
    field(role, field) {
      if (role === 'p') return parameters.scalar(field);
      if (role === 'j') {
        const type = plan.ir.roles.j![field]!.type;
        return { uniform: true, type, node: neighbor.get(field)! };
      }
      if (role === 'd') return { uniform: true, type: 'real', node: d[field]! };
      return central.get(field) ?? readOutput(setting, outputs.get(field)!, i);
    },
    item: (_role, field, index) => parameters.item(field, index),
    write(_role, field, op, value) {
      const output = outputs.get(field)!;
      if (plan.sums) addToSums(setting, output, op, value.node, j);
      else writeInPlace(setting, output, op, value.node, i);
    },
    writeItem() {
      throw new Error('pair functors have no arrays');
    },
  };
}

function readOutput({ f, plan, outputAddress }: ScalarSetting, output: PairOutput, i: WasmNode) {
  const place = output.place!;
  const node = f.keep(loadPlace(place, f.keep(outputAddress(place, i)), plan.real));
  return { uniform: true, type: output.type, node } as const;
}

/** Functors that do more than add to their outputs write the central particle's row. */
function writeInPlace(
  { f, plan, outputAddress }: ScalarSetting,
  { type, place }: PairOutput,
  op: string,
  value: WasmNode,
  i: WasmNode,
): void {
  const { real } = plan;
  const ops = type !== 'real' ? i32 : real === 'f32' ? f32 : f64;
  const address = f.keep(outputAddress(place!, i));
  const change = f.keep(value);
  const old = () => loadPlace(place!, address, real);
  const next = op === '=' ? change : op === '-=' ? ops.sub(old(), change) : ops.add(old(), change);
  f.emit(storePlace(place!, address, next, real));
}

/** A contribution is added to the entry's sum and, in half lists, to the neighbor's row. */
function addToSums(
  { f, plan, sums, outputAddress }: ScalarSetting,
  output: PairOutput,
  op: string,
  value: WasmNode,
  j: WasmNode,
): void {
  const isReal = output.type === 'real';
  const wide = isReal && plan.real === 'f32' ? f64.promote_f32(value) : value;
  const change = f.keep(wide, isReal ? 'f64' : 'i32');
  const sum = sums.get(output.field)!;
  const ops = isReal ? f64 : i32;
  f.set(sum, op === '-=' ? ops.sub(f.get(sum), change) : ops.add(f.get(sum), change));
  if (plan.list !== 'half' || !output.place) return;
  const minus = (op === '-=') !== (output.parity === 'odd');
  addToPlace(f, output.place, outputAddress(output.place, j), change, minus);
}
