import type { FunctorIR } from '@corpuscle/functor/ir';
import { type JavaScriptEnv, lowerToJavaScript } from '@corpuscle/functor/javascript';
import { ArgumentLayout, type Kernel } from '../Kernel.js';
import { heapViews } from '../kernels/heapViews.js';
import type { FieldPlace } from '../pair/PairPlan.js';
import { slotNames } from '../pair/wasm/pairSlots.js';
import {
  bufferArrays,
  type NeighbourhoodOutput,
  type NeighbourhoodPlan,
  slots as names,
  threadSlots,
  totalsOf,
} from './NeighbourhoodPlan.js';

const VIEWS = { f64: 'F64', f32: 'F32', u32: 'U32', i32: 'I32', u64: 'U32' } as const;
const SHIFTS = { f64: 3, f32: 2, u32: 2, i32: 2, u64: 2 } as const;
// Ids are 64 bits wide; functors read their low half.
const STRIDES = { f64: 1, f32: 1, u32: 1, i32: 1, u64: 2 } as const;
const viewOf = { real: 'F64', u32: 'U32', i32: 'I32', bool: 'U32' } as const;

/** The same kernel in generated JavaScript: arithmetic in f64, bit for bit that of the user's function. */
export function javascriptNeighbourhoodKernel(plan: NeighbourhoodPlan, key: string): Kernel {
  const args = new ArgumentLayout();
  const setup: string[] = [];
  const declare = (name: string, value: string) => setup.push(`const ${name} = ${value};`);
  const slot = (name: string, type: 'i32' | 'f64'): string => {
    const offset = args.slot(name, type);
    return type === 'f64' ? `F64[($a >>> 3) + ${offset / 8}]` : `U32[($a >>> 2) + ${offset / 4}]`;
  };
  const element = (base: string, row: string, place: FieldPlace): string =>
    `${VIEWS[place.storage]}[${base} + ${place.width * STRIDES[place.storage]} * ${row}]`;
  const totals = totalsOf(plan);
  const scattered = plan.outputs.filter((output) => output.scattered);
  const owned = plan.outputs.filter((output) => output.central !== 'none');
  const { n = {}, j = {} } = plan.ir.roles;
  const types = new Map(Object.entries({ ...j, ...n }).map(([name, { type }]) => [name, type]));
  const tables = new Map(plan.parameters.map((parameter) => [parameter.name, parameter]));

  declare('$pos', `${slot(slotNames.positions, 'i32')} >>> 3`);
  declare('$shift', `${slot(slotNames.shifts, 'i32')} >>> 3`);
  declare('$cut', slot(slotNames.cutoff2, 'f64'));
  declare('$capacity', slot(names.capacity, 'i32'));
  declare('$t', `(${slot(slotNames.threads, 'i32')} + $thread * ${threadSlots.bytes(plan)}) >>> 2`);
  declare('$last', `U32[$t + ${threadSlots.last / 4}] >>> 2`);
  declare('$indices', `U32[$t + ${threadSlots.indices / 4}] >>> 2`);
  let place = `U32[$t + ${threadSlots.buffer / 4}]`;
  for (const { name, bytes } of bufferArrays(plan)) {
    declare(`$at_${name}`, place);
    declare(`$n_${name}`, `$at_${name} >>> ${bytes === 8 ? 3 : 2}`);
    place = `$at_${name} + ${bytes} * $capacity`;
  }
  for (const [role, places, nameOf] of [
    ['i', plan.central, slotNames.central],
    ['j', plan.neighbour, slotNames.neighbour],
    ['l', plan.looked, names.looked],
  ] as const) {
    for (const { field, storage } of places)
      declare(`$${role}b_${field}`, `${slot(nameOf(field), 'i32')} >>> ${SHIFTS[storage]}`);
  }
  for (const { place, field, central, scattered: given } of plan.outputs) {
    if (!place) continue;
    const from = (address: string) =>
      `(${address} >>> ${SHIFTS[place.storage]}) + ${place.component}`;
    if (central !== 'none') declare(`$ob_${field}`, from(slot(names.output(place.block), 'i32')));
    const block = plan.scatterBlocks.indexOf(place.block);
    if (given) declare(`$sb_${field}`, from(`U32[$t + ${threadSlots.outputs / 4 + block}]`));
  }
  for (const { name, type, table } of plan.parameters) {
    const value = slot(slotNames.parameter(name), type === 'real' && !table ? 'f64' : 'i32');
    if (table) {
      declare(`$p_${name}`, `${value} >>> ${type === 'real' ? 3 : 2}`);
      declare(`$last_${name}`, slot(slotNames.last(name), 'i32'));
    } else declare(`$p_${name}`, type === 'i32' ? `${value} | 0` : value);
  }

  const item = (field: string, index: string) =>
    `${viewOf[types.get(field)!]}[$n_${field} + ((${index}) & ($capacity - 1))]`;
  const env: JavaScriptEnv = {
    read(role, field) {
      if (role === 'p') return `$p_${field}`;
      if (role === 'n') return { lane: '0', lanes: '1' }[field] ?? '$count';
      if (role === 'x') return `$x_${field}`;
      if (role === 'd') return field === 'r2' ? '$r2' : `$d${field}`;
      if (role === 'j') return `$j_${field}`;
      return owned.some((output) => output.field === field) ? `$s_${field}` : `$i_${field}`;
    },
    item(role, field, index) {
      if (role === 'n') return item(field, index);
      const view = viewOf[tables.get(field)!.type];
      return `${view}[$p_${field} + Math.min((${index}) >>> 0, $last_${field})]`;
    },
    write: (role, field, op, value) => `${role === 'x' ? '$x' : '$s'}_${field} ${op} ${value};`,
    writeItem: (_role, field, index, op, value) => `${item(field, index)} ${op} ${value};`,
  };
  const lowered = lowerToJavaScript(plan.ir, env);
  const added = ({ field, place, central, total }: NeighbourhoodOutput): string => {
    const to = place ? element(`$ob_${field}`, '$i', place) : '';
    const change = central === 'sum' ? `$s_${field}` : `$s_${field} - $before_${field}`;
    return [
      total ? `$total_${field} += ${change};` : '',
      place ? `${to} ${central === 'sum' ? '+=' : '='} $s_${field};` : '',
    ].join(' ');
  };
  const start = ({ field, place, central }: NeighbourhoodOutput): string => {
    if (central === 'sum') return `let $s_${field} = 0;`;
    const old = place ? element(`$ob_${field}`, '$i', place) : '0';
    return `const $before_${field} = ${old}; let $s_${field} = $before_${field};`;
  };
  const give = ({ field, place, total }: NeighbourhoodOutput): string =>
    [
      place ? `${element(`$sb_${field}`, '$j', place)} += ${item(field, '$k')};` : '',
      total ? `$total_${field} += ${item(field, '$k')};` : '',
    ].join(' ');
  const pack = packText(plan, env, (p) => element(`$lb_${p.field}`, '$j', p));
  const geometry = ['dx', 'dy', 'dz', 'r2'];
  const visit = `functor: {
${lowered.body}
    }`;
  const attributes = (value: (place: FieldPlace) => string) =>
    plan.neighbour.map((p) => `const $j_${p.field} = ${value(p)};`).join(' ');
  const fill = `${pack.before}
        U32[$n_$row + $count] = $j;
        ${pack.geometry}
        ${plan.neighbour.map((p) => `${item(p.field, '$count')} = ${element(`$jb_${p.field}`, '$j', p)};`).join(' ')}
        ${scattered.map(({ field }) => `${item(field, '$count')} = 0;`).join(' ')}
        $count++;`;
  const source = `'use strict';
${lowered.helpers}
${heapViews.declare}
return function run($a, $begin, $end, $thread) {
  ${heapViews.renew}
  ${setup.join('\n  ')}
  ${lowered.prologue}
  ${totals.map(({ field }) => `let $total_${field} = 0;`).join(' ')}
  let $e = U32[$t + ${threadSlots.entries / 4}] >>> 2;
  for (let $high = $last; $e < $high; ) {
    const $middle = $e + ((($high - $e) >>> 3) << 2);
    if (I32[$middle] < $begin) $e = $middle + 4; else $high = $middle;
  }
  for (let $i = $begin; $i < $end; $i++) {
    let $count = 0;
    ${plan.central.map((p) => `const $i_${p.field} = ${element(`$ib_${p.field}`, '$i', p)};`).join(' ')}
    ${owned.map(start).join(' ')}
    ${plan.context.map(({ field }) => `let $x_${field} = 0;`).join(' ')}
    ${hookText(plan.start, 1, env)}
    for (; $e < $last && I32[$e] === $i; $e += 4) {
      const $image = I32[$e + 1];
      const $x = F64[$pos + 4 * $i] + F64[$shift + 4 * $image];
      const $y = F64[$pos + 4 * $i + 1] + F64[$shift + 4 * $image + 1];
      const $z = F64[$pos + 4 * $i + 2] + F64[$shift + 4 * $image + 2];
      for (let $k = $indices + I32[$e + 2], $stop = $indices + I32[$e + 3]; $k < $stop; $k++) {
        const $j = I32[$k];
        const $dx = $x - F64[$pos + 4 * $j], $dy = $y - F64[$pos + 4 * $j + 1], $dz = $z - F64[$pos + 4 * $j + 2];
        const $r2 = $dx * $dx + $dy * $dy + $dz * $dz;
        if (!($r2 < $cut) || $count === $capacity) continue;
        ${plan.visit === 'each' ? `${attributes((p) => element(`$jb_${p.field}`, '$j', p))} ${visit}` : fill}
      }
    }
    ${plan.visit === 'whole' ? visit : ''}
    ${plan.visit === 'packed' ? `for (let $k = 0; $k < $count; $k++) { const ${geometry.map((name) => `$${name} = F64[$n_${name} + $k]`).join(', ')}; ${attributes((p) => item(p.field, '$k'))} ${visit} }` : ''}
    ${hookText(plan.stop, 2, env)}
    ${owned.map(added).join(' ')}
    ${scattered.length > 0 ? `for (let $k = 0; $k < $count; $k++) { const $j = U32[$n_$row + $k]; ${scattered.map(give).join(' ')} }` : ''}
  }
  ${totals.map(({ field }, k) => `F64[(U32[$t + ${threadSlots.totals / 4}] >>> 3) + ${k}] += $total_${field};`).join(' ')}
};`;
  return { key, label: plan.name, code: { kind: 'javascript', source }, args };
}

/** What the call's filters do with a neighbour before it is packed, and what is packed then. */
function packText(
  plan: NeighbourhoodPlan,
  env: JavaScriptEnv,
  look: (place: FieldPlace) => string,
): { readonly before: string; readonly geometry: string } {
  const names = ['dx', 'dy', 'dz', 'r2'];
  const { pack } = plan;
  const put = (name: string, value: string) => `F64[$n_${name} + $count] = ${value};`;
  if (!pack) return { before: '', geometry: names.map((name) => put(name, `$${name}`)).join(' ') };
  const { prologue, body } = lowerToJavaScript(pack, {
    ...env,
    read(role, field) {
      if (role === 'd') return field === 'r2' ? '$r2' : `$d${field}`;
      return role === 'j' ? `$l_${field}` : env.read(role, field);
    },
    write: (_role, field, op, value) => `$${field} ${op} ${value};`,
  });
  const weighted = pack.roles.i?.opt_weight !== undefined;
  return {
    before: `
        let $opt_keep = 0${weighted ? ', $opt_weight = 1' : ''};
        let ${names.map((name) => `$opt_${name} = $${name}`).join(', ')};
        {
          ${plan.looked.map((p) => `const $l_${p.field} = ${look(p)};`).join(' ')}
          ${prologue}
          functor: {
${body}
          }
        }
        if ($opt_keep === 0) continue;`,
    geometry: [...names, ...(weighted ? ['weight'] : [])]
      .map((name) => put(name, `$opt_${name}`))
      .join(' '),
  };
}

/** What a context does before or after the neighbours; its names are told apart from those of the functor by a number. */
function hookText(part: FunctorIR | null, number: number, env: JavaScriptEnv): string {
  if (!part) return '';
  const { helpers, prologue, body } = lowerToJavaScript(part, env);
  return `{ ${helpers}${prologue} functor: {\n${body}\n} }`.replaceAll('h$', `h${number}$`);
}
