import {
  type BodyEnv,
  flattened,
  i32,
  interleaved,
  type LaneValue,
  lowerBody,
  mentions,
  v128,
  type WasmNode,
} from '@corpuscle/functor/wasm';
import { neighborValue } from './attributes.js';
import { CentralSums } from './CentralSums.js';
import { Contributions } from './Contributions.js';
import { neighborRows, outputSlot, type Run, type RunSetting } from './RunSetting.js';
import type { StageScratch } from './StageScratch.js';

/** Functors of so many statements are interleaved over eight neighbors: lighter ones lose by it (Lennard-Jones 15 % in singles), heavier ones fill a processor alone. */
const INTERLEAVED = { least: 12, most: 120 } as const;

/** Whose neighbors are computed: their indices from the address in local `begin` on are looked at through local `p`. */
export type ComputeRun = Pick<Run, 'p' | 'central'> & { readonly begin: number };

/**
 * Emits the functor's stage. Functors with exponentials and the like run without their cold branches first; when a lane would have
 * needed one, which is rare, the whole run is computed again with them.
 *
 * @returns whether contributions are factors of d.
 */
export function computeStage(setting: RunSetting, run: ComputeRun, scratch: StageScratch): boolean {
  const { f, plan, measure, sums } = setting;
  const { lanes } = measure;
  const perQuad = 4 / lanes.count;
  const suspects = f.called(f.local('v128'), 'suspects');
  const vector = (k: number, noted: number | null) =>
    vectorCode(setting, run, scratch, { k, suspects: noted });
  const first = vector(0, suspects);
  const weight = flattened(first.code).length;
  const several = weight >= INTERLEAVED.least && weight <= INTERLEAVED.most;
  const quads = several && plan.neighbor.length === 0 ? 2 : 1;
  const last = f.named('lastVector', scratch.position);
  if (quads > 1) {
    // An odd number of fours is filled up with pairs out of reach.
    for (let k = 0; k < perQuad; k++) {
      for (const name of scratch.names) scratch.store(name, k, lanes.zero);
      scratch.store('r2', k, lanes.v.const(FAR));
    }
  }
  const loop = (vectors: readonly VectorCode[]): void => {
    scratch.rewind();
    if (plan.neighbor.length > 0) f.set(run.p, f.get(run.begin));
    f.loop((again) => {
      f.emit(...interleaved(vectors.map(({ code }) => code)));
      scratch.advance(vectors.length);
      if (plan.neighbor.length > 0) f.increment(run.p, 16);
      f.brIf(again, i32.lt_u(scratch.position, last));
    });
  };
  const numbers = (count: number, from = 0) =>
    Array.from({ length: count - from }, (_, k) => k + from);
  const fast = [first, ...numbers(quads * perQuad, 1).map((k) => vector(k, suspects))];
  if (!mentions(first.code, ['local.set'], suspects)) {
    loop(fast);
    return first.central;
  }
  f.set(suspects, lanes.zero);
  const before = [...sums.values()]
    .filter((sum) => mentions(first.code, ['local.set'], sum))
    .map((sum) => [sum, f.keep(f.get(sum))] as const);
  loop(fast);
  f.if(v128.any_true(f.get(suspects)), () => {
    for (const [sum, value] of before) f.set(sum, value);
    loop(numbers(perQuad).map((k) => vector(k, null)));
  });
  return first.central;
}

/** Beyond every cutoff, and no functor overflows there that would not at a padding row. */
const FAR = 1e18;

interface VectorCode {
  readonly code: readonly WasmNode[];
  /** The outputs are a factor, left in scratch memory, times d. */
  readonly central: boolean;
}

/** The functor on vector `k` from the scratch's cursor on. */
function vectorCode(
  setting: RunSetting,
  run: ComputeRun,
  scratch: StageScratch,
  options: { readonly k: number; readonly suspects: number | null },
): VectorCode {
  const { k, suspects } = options;
  const { f, plan, measure, force, parameters, sums, scatters } = setting;
  const { lanes } = measure;
  const locals = new Map(
    ['x', 'y', 'z', 'r2', 'root'].map((name) => [name, f.called(f.local('v128'), name)]),
  );
  const value = (name: string): WasmNode => f.get(locals.get(name)!);
  let central = false;
  const code = f.collect(() => {
    const mask = f.named('within', lanes.v.lt(value('r2'), setting.cutoff2));
    const own = new Set(
      plan.outputs.filter(({ place }) => !(scatters && place)).map(({ field }) => field),
    );
    const given = plan.outputs.filter(({ field }) => !own.has(field));
    const contributions = new Contributions(f, lanes, given);
    const centralSums = new CentralSums(f, lanes, sums, {
      d: ['x', 'y', 'z'].map((name) => locals.get(name)!),
      relaxed: plan.relaxed,
    });
    contributions.begin();
    const neighbor = neighborValues(setting, run, k);
    const env: BodyEnv = {
      uniform: (role) => role === 'p' || role === 'i',
      field(role, field) {
        if (role === 'p') return parameters.scalar(field);
        if (role === 'i') return run.central.get(field)!;
        if (role === 'j') return neighbor.get(field)!;
        return { uniform: false, type: 'real', node: value(field) };
      },
      squareRoot: (role, field) =>
        role === 'd' && field === 'r2'
          ? { uniform: false, type: 'real', node: value('root') }
          : null,
      clamps: true,
      item: (_role, field, index) => parameters.item(field, index),
      write: (_role, field, op, written, m) =>
        (own.has(field) ? centralSums : contributions).add(field, op, written, m),
      writeItem() {
        throw new Error('pair functors have no arrays');
      },
    };
    const { real } = lanes;
    const { variables } = setting;
    const shape = { builder: f, lanes: lanes.count, real } as const;
    lowerBody(setting.ir, { ...shape, env, mask, variables, suspects, relaxed: plan.relaxed });
    const d = [value('x'), value('y'), value('z')];
    const found = contributions.finish(d, force?.fields ?? null, scatters);
    central = found !== null;
    if (found && scatters) scratch.store('factor', k, found.factor);
    // What is scattered is summed then, too.
    for (const output of given)
      if (!found?.fields.includes(output.field))
        scratch.store(outputSlot(output), k, contributions.get(output.field));
  });
  const loads: WasmNode[] = [];
  for (const [name, local] of locals) {
    if (mentions(code, ['local.get'], local))
      loads.push(['local.set', local, scratch.load(name, k)]);
  }
  return { code: [...loads, ...code], central };
}

function neighborValues(setting: RunSetting, run: ComputeRun, k: number): Map<string, LaneValue> {
  const { f, plan, measure, neighborBases } = setting;
  if (plan.neighbor.length === 0) return new Map();
  const rows = neighborRows(setting, run.p, k);
  return new Map(
    plan.neighbor.map((place, n) => [
      place.field,
      neighborValue(f, measure.lanes, place, neighborBases[n]!, rows),
    ]),
  );
}
