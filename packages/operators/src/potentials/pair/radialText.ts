import { windows } from './cutoffSwitch.js';
import { helperName, type LayerNames, type RadialLayer } from './radialLayer.js';

/** The text that is compiled: formulas of a layer with its coefficients written out. */
export function radialText(layers: readonly RadialLayer[], names: readonly LayerNames[]): string {
  const [layer] = layers;
  return layers.length === 1 ? textOfOne(layer!, names[0]!) : textOfSeveral(layers, names);
}

const textOfOne = (layer: RadialLayer, names: LayerNames): string => {
  const { before, force, energy } = layerText(layer, names, null);
  return `(i, j, d, p, h) => {
  const k = i.type * p.types + j.type;
  if (d.r2 < p.rcut2[k]) {
    const r = Math.sqrt(d.r2);
${before.map((line) => `    ${line}\n`).join('')}    const f = ${force} / r;
${add('f', `(${energy})`)}
  }
}`;
};

const textOfSeveral = (layers: readonly RadialLayer[], names: readonly LayerNames[]): string => {
  const blocks = layers.map((layer, n) => {
    const { before, force, energy } = layerText(layer, names[n]!, n);
    return `    if (d.r2 < p.${names[n]!.rcut2}[k]) {
${before.map((line) => `      ${line}\n`).join('')}      F += ${force};
      U += ${energy};
    }`;
  });
  return `(i, j, d, p, h) => {
  const k = i.type * p.types + j.type;
  if (d.r2 < p.rcut2[k]) {
    const r = Math.sqrt(d.r2);
    let F = 0;
    let U = 0;
${blocks.join('\n')}
    const f = F / r;
${add('f', 'U')}
  }
}`;
};

const add = (force: string, energy: string): string =>
  `${['x', 'y', 'z'].map((axis) => `    i.f${axis} += ${force} * d.${axis};`).join('\n')}
    i.ep += 0.5 * ${energy};`;

interface LayerText {
  /** Declarations that the two expressions need. */
  readonly before: readonly string[];
  /** −u′(r) */
  readonly force: string;
  readonly energy: string;
}

function layerText(
  { form, switching }: RadialLayer,
  names: LayerNames,
  index: number | null,
): LayerText {
  const at = (table: string) => `p.${table}[k]`;
  const call = (helper: string, given: readonly string[]) =>
    `h.${helperName(helper, index)}(${given.join(', ')})`;
  const before: string[] = [];
  const window = switching === 'none' ? null : windows[switching];
  const place = window ? 's' : 'r';
  if (window) before.push(`const s = ${call('at', ['r', at(names.on)])};`);
  const given = [place, ...names.numbers.map(at)];
  if (form.damping !== undefined) {
    before.push(`const damped = h.erfc(${at(names.numbers[form.damping]!)} * ${place});`);
    given.push('damped');
  }
  // Each of the two is given as many as it takes.
  const F = call('force', given.slice(0, form.force.length));
  const U = call('energy', given.slice(0, form.energy.length));
  let force = `(${F} + ${at(names.slope)})`;
  let energy = `${U} - ${at(names.offset)} - ${at(names.slope)} * r`;
  if (window) {
    const numbers = ['r', at(names.on), ...names.weights.map(at)];
    const { mixes } = window;
    force = call('switchedForce', [F, mixes.force ? U : '0', ...numbers]);
    energy = `${call('switchedEnergy', [mixes.energy ? F : '0', U, ...numbers])} - ${at(names.offset)}`;
  }
  if (!form.charges) return { before, force, energy };
  before.push(`const q = ${at(names.coulomb)} * i.charge * j.charge;`);
  return { before, force: `q * ${force}`, energy: `q * (${energy})` };
}
