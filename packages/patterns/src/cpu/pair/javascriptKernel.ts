import { type JavaScriptEnv, lowerToJavaScript } from '@corpuscle/functor/javascript';
import { javascriptCode } from '../javascriptCode.js';
import { ArgumentLayout, type Kernel } from '../Kernel.js';
import { elementText, HeapText, viewShift } from '../kernels/HeapText.js';
import { heapViews } from '../kernels/heapViews.js';
import { outputBlocks, threadRecord, totalOutputs } from './outputBlocks.js';
import type { FieldPlace, PairPlan } from './PairPlan.js';
import { slotNames } from './wasm/pairSlots.js';
import { aboutScalars } from './wasm/scalarKernel.js';

/** A pair kernel in generated JavaScript: arithmetic in f64, bit for bit that of the user's function. */
export function javascriptKernel(plan: PairPlan, key: string): Kernel {
  const args = new ArgumentLayout();
  const setup = setupText(plan, args);
  const { helpers, prologue, body } = lowerToJavaScript(plan.ir, pairEnvironment(plan));
  const totals = totalOutputs(plan);
  const source = `'use strict';
${helpers}
${heapViews.declare}
return function run($a, $begin, $end, $thread) {
  ${heapViews.renew}
  ${setup.join('\n  ')}
  ${prologue}
  ${totals.map(({ field }) => `let $total_${field} = 0;`).join(' ')}
  // Entries of the list: {i, image, first, end} each.
  for (let $e = $entries + 4 * ($begin - $base), $last = $entries + 4 * ($end - $base); $e < $last; $e += 4) {
    const $i = I32[$e], $image = I32[$e + 1];
    const $x = F64[$pos + 4 * $i] + F64[$shift + 4 * $image];
    const $y = F64[$pos + 4 * $i + 1] + F64[$shift + 4 * $image + 1];
    const $z = F64[$pos + 4 * $i + 2] + F64[$shift + 4 * $image + 2];
    ${loadsText('i', plan.central)}
    ${plan.sums ? plan.outputs.map(({ field }) => `let $s_${field} = 0;`).join(' ') : ''}
    for (let $k = $indices + I32[$e + 2], $stop = $indices + I32[$e + 3]; $k < $stop; $k++) {
      const $j = I32[$k];
      const $dx = $x - F64[$pos + 4 * $j], $dy = $y - F64[$pos + 4 * $j + 1], $dz = $z - F64[$pos + 4 * $j + 2];
      const $r2 = $dx * $dx + $dy * $dy + $dz * $dz;
      if (!($r2 < $cut)) continue;
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
    ${totals.map(({ field }) => `$total_${field} += $s_${field};`).join(' ')}
  }
  ${totals.map(({ field }, k) => `F64[(${fromThread(threadRecord.totals)} >>> 3) + ${k}] += $total_${field};`).join(' ')}
};`;
  return { key, label: plan.name, code: javascriptCode(aboutScalars(plan), source), args };
}

const fromThread = (offset: number) => `U32[($t >>> 2) + ${offset / 4}]`;

/** What is read from the argument record and the thread's own: addresses as indices into views of the heap. */
function setupText(plan: PairPlan, args: ArgumentLayout): readonly string[] {
  const text = new HeapText(args);
  const blocks = outputBlocks(plan);
  text.declare('$pos', `${text.slot(slotNames.positions, 'i32')} >>> 3`);
  text.declare('$shift', `${text.slot(slotNames.shifts, 'i32')} >>> 3`);
  text.declare('$cut', text.slot(slotNames.cutoff2, 'f64'));
  const threads = text.slot(slotNames.threads, 'i32');
  text.declare('$t', `${threads} + $thread * ${threadRecord.bytes(blocks.length)}`);
  text.declare('$entries', `${fromThread(threadRecord.entries)} >>> 2`);
  text.declare('$indices', `${fromThread(threadRecord.indices)} >>> 2`);
  text.declare('$base', fromThread(threadRecord.base));
  text.declareFields('$ib_', plan.central, slotNames.central);
  text.declareFields('$jb_', plan.neighbor, slotNames.neighbor);
  for (const { place, field } of plan.outputs) {
    if (!place) continue;
    const number = blocks.findIndex(({ block }) => block === place.block);
    const address = fromThread(threadRecord.outputs + 4 * number);
    text.declare(
      `$ob_${field}`,
      `(${address} >>> ${viewShift(place.storage)}) + ${place.component}`,
    );
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
      return output ? elementText(`$ob_${field}`, '$i', output.place!) : `$i_${field}`;
    },
    item(_role, field, index) {
      const type = tables.get(field)!.type;
      const view = type === 'real' ? 'F64' : type === 'u32' ? 'U32' : 'I32';
      return `${view}[$p_${field} + Math.min((${index}) >>> 0, $last_${field})]`;
    },
    write(_role, field, op, value) {
      const output = outputs.get(field)!;
      if (!plan.sums) return `${elementText(`$ob_${field}`, '$i', output.place!)} ${op} ${value};`;
      const own = `$s_${field} ${op} $w;`;
      if (plan.list !== 'half' || !output.place) return `{ const $w = ${value}; ${own} }`;
      const opposite = (op === '-=') !== (output.parity === 'odd') ? '-=' : '+=';
      return `{ const $w = ${value}; ${own} ${elementText(`$ob_${field}`, '$j', output.place)} ${opposite} $w; }`;
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
      const element = elementText(`$${role}b_${place.field}`, `$${role}`, place);
      return `const $${role}_${place.field} = ${element};`;
    })
    .join(' ');

/** Adds an entry's sums to its particle. */
const storesText = (plan: PairPlan): string =>
  plan.outputs
    .filter(({ place }) => place)
    .map(({ field, place }) => `${elementText(`$ob_${field}`, '$i', place!)} += $s_${field};`)
    .join(' ');
