import type { FunctorIR, ValueType, WriteOp } from '@corpuscle/functor/ir';
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
import { ArgumentLayout, type Kernel } from '../Kernel.js';
import { loadScalar } from '../pair/wasm/attributes.js';
import {
  PairSlots,
  pairParameters,
  parameterEnvironment,
  slotNames,
} from '../pair/wasm/pairSlots.js';
import { NeighbourBuffer } from './NeighbourBuffer.js';
import {
  type NeighbourhoodOutput,
  type NeighbourhoodPlan,
  slots as names,
  threadSlots,
  totalsOf,
} from './NeighbourhoodPlan.js';
import { type RowWalk, searchRow, walkRow } from './rowWalk.js';
import { loadStored, placeAddress, storeStored } from './stored.js';

const geometry = ['dx', 'dy', 'dz', 'r2'] as const;

/**
 * A kernel over rows: the neighbours of a particle within the cutoff are packed into the thread's buffer, the functor runs
 * once, and what it gave to neighbours is added to their rows.
 *
 *   entries of row i ──► r2 < rcut² ──► buffer  $row dx dy dz r2 type …  ──► functor ──► row i,   fx[k] ──► row $row[k]
 */
export function wasmNeighbourhoodKernel(plan: NeighbourhoodPlan, key: string): Kernel {
  const { real } = plan;
  const f = new FunctionBuilder('run', ['i32', 'i32', 'i32', 'i32']);
  const args = new ArgumentLayout();
  const slots = new PairSlots(f, args);
  const [rowBegin, rowEnd] = [f.param(1), f.param(2)];
  const narrow = (value: WasmNode) => (real === 'f32' ? f32.demote_f64(value) : value);

  const positions = slots.i32(slotNames.positions);
  const shifts = slots.i32(slotNames.shifts);
  const cutoff2 = slots.f64(slotNames.cutoff2);
  const thread = slots.once(
    i32.add(slots.i32(slotNames.threads), i32.mul(f.param(3), i32.const(threadSlots.bytes(plan)))),
  );
  const fromThread = (offset: number) => slots.once(i32.load(thread, offset));
  const entries = fromThread(threadSlots.entries);
  const lastEntry = fromThread(threadSlots.last);
  const indices = fromThread(threadSlots.indices);
  const capacity = slots.i32(names.capacity);
  const buffer = new NeighbourBuffer(f, plan, fromThread(threadSlots.buffer), capacity, (value) =>
    slots.once(value),
  );
  const centralBases = plan.central.map(({ field }) => slots.i32(slotNames.central(field)));
  const neighbourBases = plan.neighbour.map(({ field }) => slots.i32(slotNames.neighbour(field)));
  const lookedBases = plan.looked.map(({ field }) => slots.i32(names.looked(field)));
  const scatterBases = plan.scatterBlocks.map((_, k) => fromThread(threadSlots.outputs + 4 * k));
  const bases = new Map<string, WasmNode>();
  const outputBase = (block: string): WasmNode => {
    const base = bases.get(block) ?? slots.i32(names.output(block));
    bases.set(block, base);
    return base;
  };
  const parameters = pairParameters(f, slots, plan, { lanes: 1, real });
  const totals = totalsOf(plan).map((output) => ({ output, sum: f.local('f64') }));
  const owned = plan.outputs
    .filter((output) => output.central !== 'none')
    .map((output) => ({ output, value: f.local(output.type === 'real' ? 'f64' : 'i32') }));
  const locals = new Map(owned.map(({ output, value }) => [output.field, { output, value }]));
  const context = new Map(
    plan.context.map(({ field, type }) => [
      field,
      { type, local: f.local(type !== 'real' ? 'i32' : real) },
    ]),
  );
  const hoisted = hoistUniform(plan.ir);
  const variables = lowerPrologue(hoisted.prologue, {
    builder: f,
    lanes: 1,
    real,
    env: parameterEnvironment(parameters),
  });

  const entry = f.variable(entries);
  const walk: RowWalk = { entry, lastEntry, indices, positions, shifts, cutoff2 };
  searchRow(f, walk, rowBegin);
  const count = f.local('i32');
  f.range(rowBegin, rowEnd, (i) => {
    f.set(count, i32.const(0));
    const central = new Map(
      plan.central.map((field, k): [string, LaneValue] => {
        const node = f.keep(loadScalar(field, centralBases[k]!, i, real));
        return [field.field, { uniform: true, type: field.type, node }];
      }),
    );
    if (plan.visit === 'whole') emitFill(i, central);
    const before = owned.map(({ output, value }) => {
      const zero = output.type === 'real' ? f64.const(0) : i32.const(0);
      const old = output.central === 'general' ? stored(output, i) : null;
      f.set(value, old ? f.keep(old) : zero);
      return f.keep(f.get(value));
    });
    const env = environment(central);
    if (plan.visit === 'whole') run(env);
    else emitPairs(i, central, env);
    emitOwn(i, before);
    emitScatter();
  });
  const totalsAddress = totals.length > 0 ? fromThread(threadSlots.totals) : i32.const(0);
  totals.forEach(({ sum }, k) => {
    f.emit(f64.store(totalsAddress, f64.add(f64.load(totalsAddress, 8 * k), f.get(sum)), 8 * k));
  });
  const bytes = assembleModule({ functions: [f], exports: ['run'] });
  return { key, label: plan.name, code: { kind: 'wasm', bytes }, args };

  function run(env: BodyEnv): void {
    lowerBody(hoisted.ir, { builder: f, lanes: 1, real, env, mask: null, variables });
  }

  /** A functor of pairs between its start and its stop. */
  function emitPairs(i: WasmNode, central: ReadonlyMap<string, LaneValue>, own: BodyEnv): void {
    const hook = (part: FunctorIR | null) => {
      if (part) lowerBody(part, { builder: f, lanes: 1, real, env: own, mask: null });
    };
    for (const { local, type } of context.values()) f.set(local, zeroOf(type));
    hook(plan.start);
    const seen = (type: ValueType, node: WasmNode): LaneValue => ({ uniform: true, type, node });
    const visit = (d: (k: number) => WasmNode, attribute: (k: number) => WasmNode) => {
      const place = (field: string) => plan.neighbour.findIndex((p) => p.field === field);
      const attributes = plan.neighbour.map((_, k) => f.keep(attribute(k)));
      const differences = geometry.map((_, k) => f.keep(d(k)));
      run({
        ...own,
        field(role, field) {
          if (role === 'd') return seen('real', differences[['x', 'y', 'z', 'r2'].indexOf(field)]!);
          if (role !== 'j') return own.field(role, field);
          return seen(plan.ir.roles.j![field]!.type, attributes[place(field)]!);
        },
      });
    };
    if (plan.visit === 'each') {
      emitFill(i, central, (j, plain) =>
        visit(
          (k) => plain[k]!,
          (k) => loadScalar(plan.neighbour[k]!, neighbourBases[k]!, j, real),
        ),
      );
    } else {
      emitFill(i, central);
      f.range(i32.const(0), f.get(count), (k) => {
        visit(
          (axis) => buffer.load(geometry[axis]!, 'real', k),
          (n) => buffer.load(plan.neighbour[n]!.field, plan.neighbour[n]!.type, k),
        );
      });
    }
    hook(plan.stop);
  }

  function zeroOf(type: ValueType): WasmNode {
    if (type !== 'real') return i32.const(0);
    return real === 'f32' ? f32.const(0) : f64.const(0);
  }

  /** Goes through the neighbours within the cutoff: packs them, or hands them to `met`. */
  function emitFill(
    i: WasmNode,
    central: ReadonlyMap<string, LaneValue>,
    met?: (j: WasmNode, plain: readonly WasmNode[]) => void,
  ): void {
    walkRow(f, walk, i, (j, d) => {
      const plain = d.map((value) => f.keep(narrow(value)));
      if (met) met(j, plain);
      else if (plan.pack) emitPacked(plan.pack, j, plain, central);
      else emitPut(j, plain);
    });
  }

  /** Packs a neighbour: dx, dy, dz, r2 and perhaps its weight, its fields, and zeros for what it will receive. */
  function emitPut(j: WasmNode, values: readonly WasmNode[]): void {
    const k = f.get(count);
    buffer.put('$row', 'u32', k, j);
    values.forEach((value, n) => {
      buffer.put([...geometry, 'weight'][n]!, 'real', k, value);
    });
    plan.neighbour.forEach((field, n) => {
      buffer.put(field.field, field.type, k, loadScalar(field, neighbourBases[n]!, j, real));
    });
    for (const { field, type, scattered } of plan.outputs) {
      if (!scattered) continue;
      const to = buffer.element(field, k, type === 'real' ? 8 : 4);
      f.emit(type === 'real' ? f64.store(to, f64.const(0)) : i32.store(to, i32.const(0)));
    }
    f.increment(count);
  }

  /** Lets the call's filters look at a neighbour first. */
  function emitPacked(
    pack: FunctorIR,
    j: WasmNode,
    plain: readonly WasmNode[],
    central: ReadonlyMap<string, LaneValue>,
  ): void {
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
    f.if(f.get(keep), () =>
      emitPut(
        j,
        outputs.map((name) => f.get(values.get(name)!)),
      ),
    );
  }

  function environment(central: ReadonlyMap<string, LaneValue>): BodyEnv {
    return {
      uniform: () => true,
      field(role, field) {
        if (role === 'p') return parameters.scalar(field);
        if (role === 'n') {
          const alone = { lane: i32.const(0), lanes: i32.const(1) };
          const node = alone[field as 'lane'] ?? f.get(count);
          return { uniform: true, type: 'u32', node };
        }
        if (role === 'x') {
          const { type, local } = context.get(field)!;
          return { uniform: true, type, node: f.keep(f.get(local)) };
        }
        const own = locals.get(field);
        if (!own) return central.get(field)!;
        const { type } = own.output;
        const node = f.keep(type === 'real' ? narrow(f.get(own.value)) : f.get(own.value));
        return { uniform: true, type, node };
      },
      item(role, field, index) {
        if (role === 'p') return parameters.item(field, index);
        const { type } = plan.ir.roles.n![field]!;
        return { uniform: true, type, node: f.keep(buffer.load(field, type, index.node)) };
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
        f.set(local, changed(output.type, op, f.get(local), value.node));
      },
      writeItem(_role, field, index, op, value) {
        const { type, collects } = plan.ir.roles.n![field]!;
        if (!collects) {
          buffer.update(field, type, index.node, op, value.node);
          return;
        }
        const ops = type === 'real' ? f64 : i32;
        const to = f.keep(buffer.element(field, index.node, type === 'real' ? 8 : 4));
        f.emit(ops.store(to, changed(type, op, ops.load(to), value.node)));
      },
    };
  }

  /** A sum kept in f64 or i32, after a write. */
  function changed(type: ValueType, op: WriteOp, old: WasmNode, value: WasmNode): WasmNode {
    const wide = type === 'real' && real === 'f32' ? f64.promote_f32(value) : value;
    if (op === '=') return wide;
    const ops = type === 'real' ? f64 : i32;
    return op === '-=' ? ops.sub(old, wide) : ops.add(old, wide);
  }

  function stored({ place }: NeighbourhoodOutput, i: WasmNode): WasmNode | null {
    if (!place) return null;
    return loadStored(place.storage, placeAddress(outputBase(place.block), i, place));
  }

  /** Outputs of the particle itself go to its row and to the totals. */
  function emitOwn(i: WasmNode, before: readonly WasmNode[]): void {
    owned.forEach(({ output, value }, k) => {
      const { place, central, type } = output;
      const ops = type === 'real' ? f64 : i32;
      if (place) {
        const address = f.keep(placeAddress(outputBase(place.block), i, place));
        const old = central === 'sum' ? loadStored(place.storage, address) : null;
        const next = old ? ops.add(old, f.get(value)) : f.get(value);
        f.emit(storeStored(place.storage, address, next));
      }
      const change = central === 'sum' ? f.get(value) : ops.sub(f.get(value), before[k]!);
      addTotal(output, change);
    });
  }

  function emitScatter(): void {
    const scattered = plan.outputs.filter((output) => output.scattered);
    if (scattered.length === 0) return;
    f.range(i32.const(0), f.get(count), (k) => {
      const j = f.keep(i32.load(buffer.element('$row', k, 4)));
      for (const output of scattered) {
        const { place, field, type } = output;
        const ops = type === 'real' ? f64 : i32;
        const value = f.keep(ops.load(buffer.element(field, k, type === 'real' ? 8 : 4)));
        if (place) {
          const base = scatterBases[plan.scatterBlocks.indexOf(place.block)]!;
          const address = f.keep(placeAddress(base, j, place));
          const next = ops.add(loadStored(place.storage, address), value);
          f.emit(storeStored(place.storage, address, next));
        }
        addTotal(output, value);
      }
    });
  }

  function addTotal(output: NeighbourhoodOutput, change: WasmNode): void {
    const total = totals.find((candidate) => candidate.output === output);
    if (!total) return;
    const { type } = output;
    const wide =
      type === 'real'
        ? change
        : type === 'u32'
          ? f64.convert_i32_u(change)
          : f64.convert_i32_s(change);
    f.set(total.sum, f64.add(f.get(total.sum), wide));
  }
}
