import { hoistUniform } from '@corpuscle/functor/passes';
import {
  assembleModule,
  type BodyEnv,
  FunctionBuilder,
  f32,
  f64,
  i32,
  type LaneValue,
  lowerBody,
  lowerPrologue,
  type WasmNode,
} from '@corpuscle/functor/wasm';
import { ArgumentLayout, type Kernel } from '../../Kernel.js';
import { outputBlocks, threadRecord, totalOutputs } from '../outputBlocks.js';
import type { FieldPlace, PairOutput, PairPlan } from '../PairPlan.js';
import { loadScalar } from './attributes.js';
import { elementAddress, storageShift } from './Lanes.js';
import { PairSlots, pairParameters, parameterEnvironment, slotNames } from './pairSlots.js';
import { at, centreOf, walkEntry } from './walkEntry.js';

/**
 * A pair kernel that takes one neighbour at a time, with real branches: for functors that read or overwrite their
 * outputs, for outputs that are not doubles, and on request. Sums are kept in f64 whatever the width of the functor.
 */
export function scalarKernel(plan: PairPlan, key: string): Kernel {
  const { real } = plan;
  const f = new FunctionBuilder('run', ['i32', 'i32', 'i32', 'i32']);
  const args = new ArgumentLayout();
  const slots = new PairSlots(f, args);
  const half = plan.list === 'half';
  const blocks = outputBlocks(plan);
  const totals = totalOutputs(plan);

  const positions = slots.i32(slotNames.positions);
  const shifts = slots.i32(slotNames.shifts);
  const cutoff2 = slots.f64(slotNames.cutoff2);
  const recordBytes = i32.const(threadRecord.bytes(blocks.length));
  const thread = slots.once(
    i32.add(slots.i32(slotNames.threads), i32.mul(f.param(3), recordBytes)),
  );
  const fromThread = (offset: number) => slots.once(i32.load(thread, offset));
  const entries = fromThread(threadRecord.entries);
  const indices = fromThread(threadRecord.indices);
  const base = fromThread(threadRecord.base);
  const walk = { indices, positions, shifts, cutoff2 };
  const bases = new Map(
    blocks.map(({ block }, k) => [block, fromThread(threadRecord.outputs + 4 * k)]),
  );
  const centralBases = plan.central.map(({ field }) => slots.i32(slotNames.central(field)));
  const neighbourBases = plan.neighbour.map(({ field }) => slots.i32(slotNames.neighbour(field)));
  const parameters = pairParameters(f, slots, plan, { lanes: 1, real });
  const hoisted = hoistUniform(plan.ir);
  const sums = new Map(
    plan.outputs.map(({ field, type }) => [field, f.local(type === 'real' ? 'f64' : 'i32')]),
  );
  const grandTotals = totals.map(() => f.local('f64'));
  const narrow = (value: WasmNode) => (real === 'f32' ? f32.demote_f64(value) : value);
  const outputs = new Map(plan.outputs.map((output) => [output.field, output]));
  /** Address of an output in a row, for the present thread. */
  const outputAddress = (place: FieldPlace, row: WasmNode) =>
    i32.add(
      elementAddress(bases.get(place.block)!, row, place),
      i32.const(place.component << storageShift[place.storage]),
    );

  const variables = lowerPrologue(hoisted.prologue, {
    builder: f,
    lanes: 1,
    real,
    env: parameterEnvironment(parameters),
  });
  const entry = f.variable(at(entries, i32.sub(f.param(1), base), 4));
  const lastEntry = f.keep(at(entries, i32.sub(f.param(2), base), 4));
  f.while(i32.lt_u(f.get(entry), lastEntry), () => {
    const i = f.keep(i32.load(f.get(entry)));
    const position = f.keep(at(positions, i, 5));
    const centre = centreOf(f, walk, f.get(entry), position);
    const central = new Map(
      plan.central.map((place, k): [string, LaneValue] => {
        const node = f.keep(loadScalar(place, centralBases[k]!, i, real));
        return [place.field, { uniform: true, type: place.type, node }];
      }),
    );
    for (const { field, type } of plan.outputs) {
      f.set(sums.get(field)!, type === 'real' ? f64.const(0) : i32.const(0));
    }
    walkEntry(f, walk, f.get(entry), centre, (j, d) => emitPair(i, j, d, central));
    if (plan.sums) flush(i);
    f.increment(entry, 16);
  });
  const totalsAddress = totals.length > 0 ? fromThread(threadRecord.totals) : i32.const(0);
  grandTotals.forEach((total, k) => {
    f.emit(f64.store(totalsAddress, f64.add(f64.load(totalsAddress, 8 * k), f.get(total)), 8 * k));
  });
  const bytes = assembleModule({ functions: [f], exports: ['run'] });
  return { key, label: plan.name, code: { kind: 'wasm', bytes }, args };

  function emitPair(
    i: WasmNode,
    j: WasmNode,
    [x, y, z, r2]: readonly WasmNode[],
    central: ReadonlyMap<string, LaneValue>,
  ): void {
    const d: Record<string, WasmNode> = {};
    for (const [name, value] of Object.entries({ x, y, z, r2 })) d[name] = f.keep(narrow(value!));
    const neighbour = new Map(
      plan.neighbour.map((place, k) => [
        place.field,
        f.keep(loadScalar(place, neighbourBases[k]!, j, real)),
      ]),
    );
    const env: BodyEnv = {
      uniform: () => true,
      field(role, field) {
        if (role === 'p') return parameters.scalar(field);
        if (role === 'j') {
          const type = plan.ir.roles.j![field]!.type;
          return { uniform: true, type, node: neighbour.get(field)! };
        }
        if (role === 'd') return { uniform: true, type: 'real', node: d[field]! };
        return central.get(field) ?? readOutput(outputs.get(field)!, i);
      },
      item: (_role, field, index) => parameters.item(field, index),
      write(_role, field, op, value) {
        const output = outputs.get(field)!;
        if (!plan.sums) {
          const address = f.keep(outputAddress(output.place!, i));
          const change = f.keep(value.node);
          const next =
            op === '=' ? change : combine(output, loadPlace(output.place!, address), op, change);
          storePlace(output.place!, address, next);
          return;
        }
        const wide =
          output.type === 'real' && real === 'f32' ? f64.promote_f32(value.node) : value.node;
        const change = f.keep(wide, output.type === 'real' ? 'f64' : 'i32');
        const sum = sums.get(field)!;
        const ops = output.type === 'real' ? f64 : i32;
        f.set(sum, op === '-=' ? ops.sub(f.get(sum), change) : ops.add(f.get(sum), change));
        if (!half || !output.place) return;
        const minus = (op === '-=') !== (output.parity === 'odd');
        addTo(output.place, outputAddress(output.place, j), change, minus);
      },
      writeItem() {
        throw new Error('pair functors have no arrays');
      },
    };
    lowerBody(hoisted.ir, { builder: f, lanes: 1, real, env, mask: null, variables });
  }

  function readOutput(output: PairOutput, i: WasmNode): LaneValue {
    const node = f.keep(loadPlace(output.place!, f.keep(outputAddress(output.place!, i))));
    return { uniform: true, type: output.type, node };
  }

  /** A stored number in the functor's own width. */
  function loadPlace({ storage }: FieldPlace, address: WasmNode): WasmNode {
    if (storage === 'f64') return narrow(f64.load(address));
    if (storage !== 'f32') return i32.load(address);
    return real === 'f32' ? f32.load(address) : f64.promote_f32(f32.load(address));
  }

  function storePlace({ storage }: FieldPlace, address: WasmNode, value: WasmNode): void {
    if (storage === 'f64')
      f.emit(f64.store(address, real === 'f32' ? f64.promote_f32(value) : value));
    else if (storage === 'f32') {
      f.emit(f32.store(address, real === 'f32' ? value : f32.demote_f64(value)));
    } else f.emit(i32.store(address, value));
  }

  function combine({ type }: PairOutput, old: WasmNode, op: string, change: WasmNode): WasmNode {
    const ops = type !== 'real' ? i32 : real === 'f32' ? f32 : f64;
    return op === '-=' ? ops.sub(old, change) : ops.add(old, change);
  }

  /** Adds a wide change to a stored number. */
  function addTo(
    { storage }: FieldPlace,
    address: WasmNode,
    change: WasmNode,
    minus: boolean,
  ): void {
    const place = f.keep(address);
    if (storage === 'f64' || storage === 'f32') {
      const old = storage === 'f64' ? f64.load(place) : f64.promote_f32(f32.load(place));
      const next = minus ? f64.sub(old, change) : f64.add(old, change);
      f.emit(storage === 'f64' ? f64.store(place, next) : f32.store(place, f32.demote_f64(next)));
    } else {
      const old = i32.load(place);
      f.emit(i32.store(place, minus ? i32.sub(old, change) : i32.add(old, change)));
    }
  }

  function flush(i: WasmNode): void {
    for (const { field, place } of plan.outputs) {
      if (place) addTo(place, outputAddress(place, i), f.get(sums.get(field)!), false);
    }
    totals.forEach(({ field, type }, k) => {
      const sum = f.get(sums.get(field)!);
      const wide =
        type === 'real' ? sum : type === 'u32' ? f64.convert_i32_u(sum) : f64.convert_i32_s(sum);
      f.set(grandTotals[k]!, f64.add(f.get(grandTotals[k]!), wide));
    });
  }
}
