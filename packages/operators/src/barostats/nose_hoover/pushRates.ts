import { type BarostatCoupling, coupledAxes } from '../../box/coupling.js';
import { axes, lengthsIn, shears } from './strainRates.js';

const ramped = (first: string, last: string) =>
  `h.ramp(v.low, v.high, ${first}, ${last}, p.firstLow, p.firstHigh, p.steps)`;

/** The mean pressure of lengths that have each their own, and what each has beside it, times the volume: as in LAMMPS, of the first box. */
function ownPressures(coupling: BarostatCoupling): string {
  const lengths = lengthsIn(coupling).map((a) => a[0]!);
  const all = lengths.map((a) => `const p${a} = ${ramped(`p.p${a}0`, `p.p${a}1`)};`);
  const mean = `const mean = (${lengths.map((a) => `p${a}`).join(' + ')}) / ${lengths.length};`;
  const beside = lengths.map(
    (a) => `
const g${a} = p.s${a} * (1 + v.e${a});
const beside${a} = p.volume0 * (p${a} - mean) * g${a} * g${a};`,
  );
  return [...all, mean, ...beside].join('\n');
}

/** Half a step of the strain rates, by a kinetic tensor times `square` and the virial. */
export function pushRates(
  { coupling, isSplit }: { readonly coupling: BarostatCoupling; readonly isSplit: boolean },
  square: string,
): string {
  const lengths = lengthsIn(coupling);
  const push = `
const press = dt / (2 * mass);
const all = ${square} * (${coupling === 'iso' ? 'v.kxx' : lengths.map((a) => `v.k${a}`).join(' + ')});
const volume = p.volume * (1 + v.ex) * (1 + v.ey) * (1 + v.ez);
${isSplit ? ownPressures(coupling) : ''}
const target = ${isSplit ? 'mean' : ramped('p.pressure0', 'p.pressure1')} * volume - all / (${lengths.length} * p.count);`;
  if (coupling === 'iso')
    return `${push}
const pull = press * ((all + (v.uxx + v.uyy + v.uzz)) / 3 - target);
${axes.map((a) => `v.o${a} += pull;`).join('\n')}`;
  const along = coupledAxes(coupling).map((together, k) => {
    if (together.length === 0) return '';
    const sum = (n: string) => together.map((a) => `v.${n}${a}${a}`).join(' + ');
    const mean = together.length === 1 ? '' : ` / ${together.length}`;
    const own = isSplit ? ` - beside${together[0]}` : '';
    return `v.o${axes[k]} += press * ((${square} * (${sum('k')}) + (${sum('u')}))${mean} - target${own});`;
  });
  const across = shears.map((a) => `v.o${a} += press * (${square} * v.k${a} + v.u${a});`);
  return [push, ...along, ...(coupling === 'triclinic' ? across : [])].join('\n');
}
