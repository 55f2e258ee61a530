import { hoistUniform } from '@corpuscle/functor/passes';
import {
  f64,
  i32,
  type LaneValue,
  lowerBody,
  lowerPrologue,
  type WasmNode,
} from '@corpuscle/functor/wasm';
import type { Kernel } from '../../Kernel.js';
import { wasmCode } from '../../wasmCode.js';
import { totalOutputs } from '../outputBlocks.js';
import type { PairPlan } from '../PairPlan.js';
import { addTotals } from './addTotals.js';
import { loadScalar } from './attributes.js';
import { parameterEnvironment } from './pairSlots.js';
import { type ScalarSetting, scalarSetting } from './ScalarSetting.js';
import { type CentralValues, scalarPairEnvironment } from './scalarPair.js';
import { addToPlace } from './storedOutput.js';
import { at, centerOf, walkEntry } from './walkEntry.js';

/**
 * A pair kernel that takes one neighbor at a time, with real branches: for functors that read or overwrite their
 * outputs, for outputs that are not doubles, and on request. Sums are kept in f64 whatever the width of the functor.
 */
export function scalarKernel(plan: PairPlan, key: string): Kernel {
  const hoisted = hoistUniform(plan.ir);
  const setting = scalarSetting(plan);
  const { f, args, walk, entries, base } = setting;
  const options = { builder: f, lanes: 1, real: plan.real } as const;
  const prologue = parameterEnvironment(setting.parameters);
  const variables = lowerPrologue(hoisted.prologue, { ...options, env: prologue });
  const entry = f.variable(at(entries, i32.sub(f.param(1), base), 4));
  const lastEntry = f.keep(at(entries, i32.sub(f.param(2), base), 4));
  f.while(i32.lt_u(f.get(entry), lastEntry), () => {
    const i = f.keep(i32.load(f.get(entry)));
    const position = f.keep(at(walk.positions, i, 5));
    const center = centerOf(f, walk, f.get(entry), position);
    const central = loadCentral(setting, i);
    clearSums(setting);
    f.comment('walk and call');
    walkEntry(f, walk, f.get(entry), center, (j, d) => {
      const env = scalarPairEnvironment(setting, i, j, d, central);
      lowerBody(hoisted.ir, { ...options, env, mask: null, variables });
    });
    if (plan.sums) {
      f.comment('store');
      storeSums(setting, i);
    }
    f.increment(entry, 16);
  });
  addTotals(f, setting.grandTotals, setting.fromThread);
  return { key, label: plan.name, code: wasmCode(f, aboutScalars(plan)), args };
}

/** What the kernel does, stage by stage. */
export const aboutScalars = (plan: PairPlan): string => `${plan.name}

Pair functor '${plan.name}' over entries begin … end − 1 of a ${plan.list} neighbor list, one neighbor at a time.
  walk      neighbors of the entry, displacement, cutoff
  call      the functor, with real branches${plan.list === 'half' ? '; neighbors receive their share' : ''}
${plan.sums ? `  store     sums go to the row of the particle${plan.outputs.some((o) => o.total) ? ' and to the totals' : ''}` : '  outputs are read and written in place'}`;

function loadCentral({ f, plan, centralBases }: ScalarSetting, i: WasmNode): CentralValues {
  return new Map(
    plan.central.map((place, k): [string, LaneValue] => {
      const node = f.keep(loadScalar(place, centralBases[k]!, i, plan.real));
      return [place.field, { uniform: true, type: place.type, node }];
    }),
  );
}

function clearSums({ f, plan, sums }: ScalarSetting): void {
  for (const { field, type } of plan.outputs) {
    f.set(sums.get(field)!, type === 'real' ? f64.const(0) : i32.const(0));
  }
}

/** Adds the sums of an entry to its particle and to the totals. */
function storeSums({ f, plan, sums, grandTotals, outputAddress }: ScalarSetting, i: WasmNode) {
  for (const { field, place } of plan.outputs) {
    if (place) addToPlace(f, place, outputAddress(place, i), f.get(sums.get(field)!), false);
  }
  totalOutputs(plan).forEach(({ field, type }, k) => {
    const sum = f.get(sums.get(field)!);
    const wide =
      type === 'real' ? sum : type === 'u32' ? f64.convert_i32_u(sum) : f64.convert_i32_s(sum);
    f.set(grandTotals[k]!, f64.add(f.get(grandTotals[k]!), wide));
  });
}
