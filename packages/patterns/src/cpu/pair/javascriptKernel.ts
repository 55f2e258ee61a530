import { type JavaScriptEnv, lowerToJavaScript } from '@corpuscle/functor/javascript';
import type { AddressType } from '@corpuscle/functor/wasm';
import { javascriptCode } from '../javascriptCode.js';
import { ArgumentLayout, type Kernel } from '../Kernel.js';
import { elementText, HeapText, plus, viewShift } from '../kernels/HeapText.js';
import { heapViews } from '../kernels/heapViews.js';
import { outputBlocks, threadRecord, totalOutputs } from './outputBlocks.js';
import type { FieldPlace, PairPlan } from './PairPlan.js';
import { slotNames } from './wasm/pairSlots.js';
import { aboutScalars } from './wasm/scalarKernel.js';

/** A pair kernel in generated JavaScript: arithmetic in f64, bit for bit that of the user's function. */
export function javascriptKernel(plan: PairPlan, key: string): Kernel {
  const args = new ArgumentLayout();
  sourceText(plan, new HeapText(args, 'i32'));
  const source = (addresses: AddressType) =>
    sourceText(plan, new HeapText(new ArgumentLayout(), addresses));
  return { key, label: plan.name, code: javascriptCode(aboutScalars(plan), source), args };
}

function sourceText(plan: PairPlan, text: HeapText): string {
  const setup = setupText(plan, text);
  const { helpers, prologue, body } = lowerToJavaScript(plan.ir, pairEnvironment(plan));
  const totals = totalOutputs(plan);
  return `'use strict';
${helpers}
${heapViews.declare}
return function run($args, $begin, $end, $thread) {
  ${heapViews.renew}
  ${setup.join('\n  ')}
  ${prologue}
  ${totals.map(({ field }) => `let $total_${field} = 0;`).join('\n  ')}
  // Entries of the list: {i, image, first, end} each.
  for (let $entry = $entries + 4 * ($begin - $base), $lastEntry = $entries + 4 * ($end - $base); $entry < $lastEntry; $entry += 4) {
    const $i = I32[$entry], $image = I32[$entry + 1];
    const $x = F64[$positions + 4 * $i] + F64[$shifts + 4 * $image];
    const $y = F64[$positions + 4 * $i + 1] + F64[$shifts + 4 * $image + 1];
    const $z = F64[$positions + 4 * $i + 2] + F64[$shifts + 4 * $image + 2];
    ${loadsText('i', plan.central)}
    ${plan.sums ? plan.outputs.map(({ field }) => `let $sum_${field} = 0;`).join('\n    ') : ''}
    for (let $k = $indices + I32[$entry + 2], $stop = $indices + I32[$entry + 3]; $k < $stop; $k++) {
      const $j = I32[$k];
      const $dx = $x - F64[$positions + 4 * $j], $dy = $y - F64[$positions + 4 * $j + 1], $dz = $z - F64[$positions + 4 * $j + 2];
      const $r2 = $dx * $dx + $dy * $dy + $dz * $dz;
      if (!($r2 < $cutoff2)) continue;
      ${loadsText('j', plan.neighbor)}
      functor: {
${body}
      }
    }
    ${
      plan.sums
        ? `// Store.
    ${storesText(plan)}`
        : ''
    }
    ${totals.map(({ field }) => `$total_${field} += $sum_${field};`).join('\n    ')}
  }
  ${totals.map(({ field }, k) => `F64[(${text.index(fromThread(threadRecord.totals), 3)})${plus(k)}] += $total_${field};`).join('\n  ')}
};`;
}

const fromThread = (offset: number) => `U32[$record${plus(offset / 4)}]`;

/** What is read from the argument record and the thread's own: addresses as indices into views of the heap. */
function setupText(plan: PairPlan, text: HeapText): readonly string[] {
  const blocks = outputBlocks(plan);
  text.declare('$positions', text.address(slotNames.positions, 3));
  text.declare('$shifts', text.address(slotNames.shifts, 3));
  text.declare('$cutoff2', text.slot(slotNames.cutoff2, 'f64'));
  const threads = text.address(slotNames.threads, 2);
  text.declare('$record', `(${threads}) + $thread * ${threadRecord.bytes(blocks.length) / 4}`);
  text.declare('$entries', text.index(fromThread(threadRecord.entries), 2));
  text.declare('$indices', text.index(fromThread(threadRecord.indices), 2));
  text.declare('$base', fromThread(threadRecord.base));
  text.declareFields('$inOwn_', plan.central, slotNames.central);
  text.declareFields('$inOther_', plan.neighbor, slotNames.neighbor);
  for (const { place, field } of plan.outputs) {
    if (!place) continue;
    const number = blocks.findIndex(({ block }) => block === place.block);
    const word = fromThread(threadRecord.outputs + 4 * number);
    const row = text.index(word, viewShift(place.storage));
    text.declare(`$out_${field}`, `(${row})${plus(place.component)}`);
  }
  text.declareParameters(plan.parameters);
  return text.lines;
}

/** How the functor reads and writes. */
function pairEnvironment(plan: PairPlan): JavaScriptEnv {
  const outputs = new Map(plan.outputs.map((output) => [output.field, output]));
  const tables = new Map(plan.parameters.map((parameter) => [parameter.name, parameter]));
  return {
    read(role, field) {
      if (role === 'p') return `$p_${field}`;
      if (role === 'd') return field === 'r2' ? '$r2' : `$d${field}`;
      if (role === 'j') return `$j_${field}`;
      const output = outputs.get(field);
      return output ? elementText(`$out_${field}`, '$i', output.place!) : `$i_${field}`;
    },
    item(_role, field, index) {
      const type = tables.get(field)!.type;
      const view = type === 'real' ? 'F64' : type === 'u32' ? 'U32' : 'I32';
      return `${view}[$p_${field} + Math.min((${index}) >>> 0, $last_${field})]`;
    },
    write(_role, field, op, value) {
      const output = outputs.get(field)!;
      if (!plan.sums) return `${elementText(`$out_${field}`, '$i', output.place!)} ${op} ${value};`;
      const own = `$sum_${field} ${op} $term;`;
      if (plan.list !== 'half' || !output.place) return `{ const $term = ${value}; ${own} }`;
      const opposite = (op === '-=') !== (output.parity === 'odd') ? '-=' : '+=';
      return `{ const $term = ${value}; ${own} ${elementText(`$out_${field}`, '$j', output.place)} ${opposite} $term; }`;
    },
    writeItem() {
      throw new Error('pair functors have no arrays');
    },
  };
}

/** Fields of one particle as constants. */
const loadsText = (role: 'i' | 'j', places: readonly FieldPlace[]): string =>
  places
    .map((place) => {
      const base = role === 'i' ? '$inOwn_' : '$inOther_';
      const element = elementText(`${base}${place.field}`, `$${role}`, place);
      return `const $${role}_${place.field} = ${element};`;
    })
    .join(' ');

/** Adds an entry's sums to its particle. */
const storesText = (plan: PairPlan): string =>
  plan.outputs
    .filter(({ place }) => place)
    .map(({ field, place }) => `${elementText(`$out_${field}`, '$i', place!)} += $sum_${field};`)
    .join('\n    ');
