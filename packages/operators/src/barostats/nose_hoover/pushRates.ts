import { coupledAxes } from '../../box/coupling.js';
import type { MtkKind } from './mtkFunctors.js';
import { axes, lengthsIn, shears } from './strainRates.js';

const ramped = (first: string, last: string) =>
  `h.ramp(v.low, v.high, ${first}, ${last}, p.firstLow, p.firstHigh, p.steps)`;

/** Strains across of a box that leans, from the first one, and what they add to a length; dx is P_x − P. */
const SHEARS = `
const gxy = v.tyx * gy - p.tyx0 * gx;
const gyz = v.tzy * gz - p.tzy0 * gy;
const gxz = v.tzx * gz - p.tzx0 * gx - p.tzy0 * gxy;`;
const ACROSS = { x: ' + dy * gxy * gxy + dz * gxz * gxz', y: ' + dz * gyz * gyz', z: '' } as const;

/**
 * The mean pressure P of lengths that have each their own, and what each has beside it, times the volume: as in LAMMPS, of the first
 * box, V0 Σ_b G_ba² (P_b − P) with the strain G of the present one.
 */
function ownPressures({ coupling, isLeaning }: Pick<MtkKind, 'coupling' | 'isLeaning'>): string {
  const lengths = lengthsIn(coupling).map((a) => a[0]!);
  const grown = (isLeaning ? ['x', 'y', 'z'] : lengths).map(
    (a) => `const g${a} = p.s${a} * (1 + v.e${a});`,
  );
  const all = lengths.map((a) => `const p${a} = ${ramped(`p.p${a}0`, `p.p${a}1`)};`);
  const mean = `const mean = (${lengths.map((a) => `p${a}`).join(' + ')}) / ${lengths.length};`;
  const shears = isLeaning ? SHEARS : '';
  const beside = lengths.map((a) => {
    const across = isLeaning ? ACROSS[a as keyof typeof ACROSS] : '';
    // A length that stays has no pressure there.
    const others = across.replace(/d([xyz])/g, (_, b) =>
      lengths.includes(b) ? `(p${b} - mean)` : '(-mean)',
    );
    return `const beside${a} = p.volume0 * ((p${a} - mean) * g${a} * g${a}${others});`;
  });
  return [...all, mean, ...grown, shears, ...beside].join('\n');
}

/** Half a step of the strain rates, by a kinetic tensor times `square` and the virial. */
export function pushRates(
  { coupling, isSplit, isLeaning }: Pick<MtkKind, 'coupling' | 'isSplit' | 'isLeaning'>,
  square: string,
): string {
  const lengths = lengthsIn(coupling);
  const push = `
const press = dt / (2 * mass);
const all = ${square} * (${coupling === 'iso' ? 'v.kxx' : lengths.map((a) => `v.k${a}`).join(' + ')});
const volume = p.volume * (1 + v.ex) * (1 + v.ey) * (1 + v.ez);
${isSplit ? ownPressures({ coupling, isLeaning }) : ''}
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
