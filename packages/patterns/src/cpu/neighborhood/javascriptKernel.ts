import type { FunctorIR } from '@corpuscle/functor/ir';
import { type JavaScriptEnv, lowerToJavaScript } from '@corpuscle/functor/javascript';
import type { AddressType } from '@corpuscle/functor/wasm';
import { javascriptCode } from '../javascriptCode.js';
import { ArgumentLayout, type Kernel } from '../Kernel.js';
import { elementText, HeapText } from '../kernels/HeapText.js';
import { heapViews } from '../kernels/heapViews.js';
import type { FieldPlace } from '../pair/PairPlan.js';
import { beginText, giveText, storeText } from './javascript/outputText.js';
import { packText } from './javascript/packText.js';
import { type ItemText, itemTextOf, rowEnvironment } from './javascript/rowEnvironment.js';
import { setupText, threadWord } from './javascript/setupText.js';
import { type NeighborhoodPlan, threadSlots, totalsOf } from './NeighborhoodPlan.js';
import { aboutRows } from './wasmKernel.js';

/** The same kernel in generated JavaScript: arithmetic in f64, bit for bit that of the user's function. */
export function javascriptNeighborhoodKernel(plan: NeighborhoodPlan, key: string): Kernel {
  const args = new ArgumentLayout();
  sourceText(plan, new HeapText(args, 'i32'));
  const source = (addresses: AddressType) =>
    sourceText(plan, new HeapText(new ArgumentLayout(), addresses));
  return { key, label: plan.name, code: javascriptCode(aboutRows(plan), source), args };
}

function sourceText(plan: NeighborhoodPlan, text: HeapText): string {
  const setup = setupText(plan, text);
  const item = itemTextOf(plan);
  const env = rowEnvironment(plan, item);
  const lowered = lowerToJavaScript(plan.ir, env);
  const visit = visitText(plan, lowered.body, item);
  const totals = totalsOf(plan);
  const scattered = plan.outputs.filter((output) => output.scattered === 'kept');
  const owned = plan.outputs.filter((output) => output.central !== 'none');
  return `'use strict';
${lowered.helpers}
${heapViews.declare}
return function run($args, $begin, $end, $thread) {
  ${heapViews.renew}
  ${setup.join('\n  ')}
  ${lowered.prologue}
  ${totals.map(({ field }) => `let $total_${field} = 0;`).join(' ')}
  // Search: the first list entry of the rows.
  let $entry = ${text.index(threadWord(threadSlots.entries), 2)};
  for (let $high = $lastEntry; $entry < $high; ) {
    const $middle = $entry + ((($high - $entry) >>> 3) << 2);
    if (I32[$middle] < $begin) $entry = $middle + 4; else $high = $middle;
  }
  for (let $i = $begin; $i < $end; $i++) {
    let $count = 0;
    ${fieldsText('i', plan.central, (p) => elementText(`$inOwn_${p.field}`, '$i', p))}
    ${owned.map(beginText).join(' ')}
    ${plan.context.map(({ field }) => `let $x_${field} = 0;`).join(' ')}
    ${hookText(plan.start, 1, env)}
    // Fill.
    for (; $entry < $lastEntry && I32[$entry] === $i; $entry += 4) {
      const $image = I32[$entry + 1];
      const $x = F64[$positions + 4 * $i] + F64[$shifts + 4 * $image];
      const $y = F64[$positions + 4 * $i + 1] + F64[$shifts + 4 * $image + 1];
      const $z = F64[$positions + 4 * $i + 2] + F64[$shifts + 4 * $image + 2];
      for (let $k = $indices + I32[$entry + 2], $stop = $indices + I32[$entry + 3]; $k < $stop; $k++) {
        const $j = I32[$k];
        const $dx = $x - F64[$positions + 4 * $j], $dy = $y - F64[$positions + 4 * $j + 1], $dz = $z - F64[$positions + 4 * $j + 2];
        const $r2 = $dx * $dx + $dy * $dy + $dz * $dz;
        if (!($r2 < $cutoff2) || $count === $capacity) continue;
        ${plan.visit === 'each' ? visit.met : packText(plan, env, item)}
      }
    }
    ${plan.visit === 'whole' ? visit.whole : ''}
    ${plan.visit === 'packed' ? visit.packed : ''}
    ${hookText(plan.stop, 2, env)}
    // Store and scatter.
    ${owned.map(storeText).join(' ')}
    ${scattered.length > 0 ? `for (let $k = 0; $k < $count; $k++) { const $j = U32[$n_$row + $k]; ${scattered.map((output) => giveText(output, item)).join(' ')} }` : ''}
  }
  ${totals.map(({ field }, k) => `F64[(${text.index(threadWord(threadSlots.totals), 3)}) + ${k}] += $total_${field};`).join(' ')}
};`;
}

/** The functor's body once a row, as neighbors are met, or once for each that was packed. */
function visitText(plan: NeighborhoodPlan, body: string, item: ItemText) {
  const whole = `functor: {
${body}
    }`;
  const geometry = ['dx', 'dy', 'dz', 'r2'].map((name) => `$${name} = F64[$n_${name} + $k]`);
  const met = fieldsText('j', plan.neighbor, (p) => elementText(`$inOther_${p.field}`, '$j', p));
  const again = fieldsText('j', plan.neighbor, (p) => item(p.field, '$k'));
  return {
    whole,
    met: `${met} ${whole}`,
    packed: `for (let $k = 0; $k < $count; $k++) { const ${geometry.join(', ')}; ${again} ${whole} }`,
  };
}

/** Fields of one particle as constants. */
const fieldsText = (
  role: 'i' | 'j',
  places: readonly FieldPlace[],
  value: (place: FieldPlace) => string,
): string => places.map((p) => `const $${role}_${p.field} = ${value(p)};`).join(' ');

/** What a context does before or after the neighbors; its names are told apart from those of the functor by a number. */
function hookText(part: FunctorIR | null, number: number, env: JavaScriptEnv): string {
  if (!part) return '';
  const { helpers, prologue, body } = lowerToJavaScript(part, env);
  return `{ ${helpers}${prologue} functor: {\n${body}\n} }`.replaceAll('h$', `h${number}$`);
}
