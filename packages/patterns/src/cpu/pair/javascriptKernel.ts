import { type JavaScriptEnv, lowerToJavaScript } from '@corpuscle/functor/javascript';
import { ArgumentLayout, type Kernel } from '../Kernel.js';
import { heapViews } from '../kernels/heapViews.js';
import { outputBlocks, threadRecord, totalOutputs } from './outputBlocks.js';
import type { FieldPlace, PairPlan } from './PairPlan.js';
import { slotNames } from './wasm/pairSlots.js';

const VIEWS = { f64: 'F64', f32: 'F32', u32: 'U32', i32: 'I32', u64: 'U32' } as const;
const SHIFTS = { f64: 3, f32: 2, u32: 2, i32: 2, u64: 2 } as const;
// Ids are 64 bits wide; functors read their low half.
const STRIDES = { f64: 1, f32: 1, u32: 1, i32: 1, u64: 2 } as const;

/** A pair kernel in generated JavaScript: arithmetic in f64, bit for bit that of the user's function. */
export function javascriptKernel(plan: PairPlan, key: string): Kernel {
  const args = new ArgumentLayout();
  const setup: string[] = [];
  const slot = (name: string, type: 'i32' | 'f64'): string => {
    const offset = args.slot(name, type);
    return type === 'f64' ? `F64[($a >>> 3) + ${offset / 8}]` : `U32[($a >>> 2) + ${offset / 4}]`;
  };
  const fromThread = (offset: number) => `U32[($t >>> 2) + ${offset / 4}]`;
  const blocks = outputBlocks(plan);
  const totals = totalOutputs(plan);
  const half = plan.list === 'half';
  const declare = (name: string, value: string) => setup.push(`const ${name} = ${value};`);
  const element = (base: string, row: string, place: FieldPlace): string => {
    const stride = place.width * STRIDES[place.storage];
    return `${VIEWS[place.storage]}[${base} + ${stride === 1 ? row : `${stride} * ${row}`}]`;
  };

  declare('$pos', `${slot(slotNames.positions, 'i32')} >>> 3`);
  declare('$shift', `${slot(slotNames.shifts, 'i32')} >>> 3`);
  declare('$cut', slot(slotNames.cutoff2, 'f64'));
  declare(
    '$t',
    `${slot(slotNames.threads, 'i32')} + $thread * ${threadRecord.bytes(blocks.length)}`,
  );
  declare('$entries', `${fromThread(threadRecord.entries)} >>> 2`);
  declare('$indices', `${fromThread(threadRecord.indices)} >>> 2`);
  declare('$base', fromThread(threadRecord.base));
  for (const place of plan.central) {
    declare(
      `$ib_${place.field}`,
      `${slot(slotNames.central(place.field), 'i32')} >>> ${SHIFTS[place.storage]}`,
    );
  }
  for (const place of plan.neighbour) {
    declare(
      `$jb_${place.field}`,
      `${slot(slotNames.neighbour(place.field), 'i32')} >>> ${SHIFTS[place.storage]}`,
    );
  }
  for (const { place, field } of plan.outputs) {
    if (!place) continue;
    const number = blocks.findIndex(({ block }) => block === place.block);
    const address = fromThread(threadRecord.outputs + 4 * number);
    declare(`$ob_${field}`, `(${address} >>> ${SHIFTS[place.storage]}) + ${place.component}`);
  }
  for (const { name, type, table } of plan.parameters) {
    const slotName = slotNames.parameter(name);
    if (!table) {
      declare(
        `$p_${name}`,
        type === 'real'
          ? slot(slotName, 'f64')
          : `${slot(slotName, 'i32')}${type === 'i32' ? ' | 0' : ''}`,
      );
      continue;
    }
    declare(`$p_${name}`, `${slot(slotName, 'i32')} >>> ${type === 'real' ? 3 : 2}`);
    declare(`$last_${name}`, slot(slotNames.last(name), 'i32'));
  }
  const outputs = new Map(plan.outputs.map((output) => [output.field, output]));
  const tables = new Map(plan.parameters.map((parameter) => [parameter.name, parameter]));
  const env: JavaScriptEnv = {
    read(role, field) {
      if (role === 'p') return `$p_${field}`;
      if (role === 'd') return field === 'r2' ? '$r2' : `$d${field}`;
      if (role === 'j') return `$j_${field}`;
      const output = outputs.get(field);
      return output ? element(`$ob_${field}`, '$i', output.place!) : `$i_${field}`;
    },
    item(_role, field, index) {
      const type = tables.get(field)!.type;
      const view = type === 'real' ? 'F64' : type === 'u32' ? 'U32' : 'I32';
      return `${view}[$p_${field} + Math.min((${index}) >>> 0, $last_${field})]`;
    },
    write(_role, field, op, value) {
      const output = outputs.get(field)!;
      if (!plan.sums) return `${element(`$ob_${field}`, '$i', output.place!)} ${op} ${value};`;
      const own = `$s_${field} ${op} $w;`;
      if (!half || !output.place) return `{ const $w = ${value}; ${own} }`;
      const opposite = (op === '-=') !== (output.parity === 'odd') ? '-=' : '+=';
      return `{ const $w = ${value}; ${own} ${element(`$ob_${field}`, '$j', output.place)} ${opposite} $w; }`;
    },
    writeItem() {
      throw new Error('pair functors have no arrays');
    },
  };
  const lowered = lowerToJavaScript(plan.ir, env);
  const loads = (role: 'i' | 'j', places: readonly FieldPlace[]) =>
    places.map(
      (place) =>
        `const $${role}_${place.field} = ${element(`$${role}b_${place.field}`, `$${role}`, place)};`,
    );
  const source = `'use strict';
${lowered.helpers}
${heapViews.declare}
return function run($a, $begin, $end, $thread) {
  ${heapViews.renew}
  ${setup.join('\n  ')}
  ${lowered.prologue}
  ${totals.map(({ field }) => `let $total_${field} = 0;`).join(' ')}
  for (let $e = $entries + 4 * ($begin - $base), $last = $entries + 4 * ($end - $base); $e < $last; $e += 4) {
    const $i = I32[$e], $image = I32[$e + 1];
    const $x = F64[$pos + 4 * $i] + F64[$shift + 4 * $image];
    const $y = F64[$pos + 4 * $i + 1] + F64[$shift + 4 * $image + 1];
    const $z = F64[$pos + 4 * $i + 2] + F64[$shift + 4 * $image + 2];
    ${loads('i', plan.central).join(' ')}
    ${plan.sums ? plan.outputs.map(({ field }) => `let $s_${field} = 0;`).join(' ') : ''}
    for (let $k = $indices + I32[$e + 2], $stop = $indices + I32[$e + 3]; $k < $stop; $k++) {
      const $j = I32[$k];
      const $dx = $x - F64[$pos + 4 * $j], $dy = $y - F64[$pos + 4 * $j + 1], $dz = $z - F64[$pos + 4 * $j + 2];
      const $r2 = $dx * $dx + $dy * $dy + $dz * $dz;
      if (!($r2 < $cut)) continue;
      ${loads('j', plan.neighbour).join(' ')}
      functor: {
${lowered.body}
      }
    }
    ${
      plan.sums
        ? plan.outputs
            .filter(({ place }) => place)
            .map(({ field, place }) => `${element(`$ob_${field}`, '$i', place!)} += $s_${field};`)
            .join(' ')
        : ''
    }
    ${totals.map(({ field }) => `$total_${field} += $s_${field};`).join(' ')}
  }
  ${totals.map(({ field }, k) => `F64[(${fromThread(threadRecord.totals)} >>> 3) + ${k}] += $total_${field};`).join(' ')}
};`;
  return { key, label: plan.name, code: { kind: 'javascript', source }, args };
}
