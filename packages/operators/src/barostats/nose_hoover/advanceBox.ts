import type { BarostatCoupling } from '../../box/coupling.js';
import type { MtkKind } from './mtkFunctors.js';
import { axes, drivenIn, leaderOf, lengthsIn, shears } from './strainRates.js';

type BoxKind = Pick<MtkKind, 'coupling' | 'isLeaning'>;

/**
 * Half a step of the box: D = H⁻¹ H′ − 1, as far as it depends on strain rates and on how the box leans, in the splitting of LAMMPS;
 * then box, particles and the account of its growth. @param n tells the halves apart
 */
export function advanceBox({ coupling, isLeaning }: BoxKind, n: 1 | 2): string {
  const moving = lengthsIn(coupling);
  const lengths = moving
    .filter((a) => leaderOf(coupling, a) === a)
    .map((a) => `const d${a}${n} = h.growth(0.5 * dt * v.o${a});`);
  const grown = moving.map((a) => {
    const d = `d${leaderOf(coupling, a)}${n}`;
    return `v.${a} += v.${a} * ${d} + ${d};\nv.e${a[0]} += v.e${a[0]} * ${d} + ${d};`;
  });
  const origin = moving.map((a) => {
    const x = a[0]!;
    return `v.${x} += (v.${x} - p.c${x}) * d${leaderOf(coupling, a)}${n};`;
  });
  const own = coupling === 'triclinic' ? ownShears(n) : isLeaning ? shearsOf(coupling, n) : null;
  const rest = own === null ? origin.join('\n') : own + shearedBox(n);
  return [...lengths, rest, ...grown].join('\n');
}

type Places = 'xx' | 'yy' | 'zz' | 'yx' | 'zx' | 'zy';
/** Names of the numbers of D in a half. */
const growthOf = (n: 1 | 2) =>
  Object.fromEntries(['xx', 'yy', 'zz', 'yx', 'zx', 'zy'].map((a) => [a, `d${a}${n}`])) as Record<
    Places,
    string
  >;

/** Shears of a box whose lattice vectors grow and do not turn: D = H⁻¹ (1 + L) H − 1 with the growth L of the lengths. */
function shearsOf(coupling: BarostatCoupling, n: 1 | 2): string {
  const d = growthOf(n);
  const moving = lengthsIn(coupling);
  const others = axes
    .filter((a) => !moving.includes(a) || leaderOf(coupling, a) !== a)
    .map((a) => `const ${d[a]} = ${moving.includes(a) ? d[leaderOf(coupling, a)] : '0.0'};`);
  return `
${others.join('\n')}
const ${d.yx} = v.tyx * (${d.yy} - ${d.xx});
const ${d.zy} = v.tzy * (${d.zz} - ${d.yy});
const ${d.zx} = v.tzx * (${d.zz} - ${d.xx}) - v.tzy * ${d.yx};`;
}

/** Shears of a box by their own strain rates. */
function ownShears(n: 1 | 2): string {
  const name = (one: string) => `${one}${n}`;
  const d = growthOf(n);
  return `
const ${name('f')} = Math.exp((dt / 16) * v.oxx);
const ${name('g')} = Math.exp((dt / 8) * v.oyy);
const ${name('s')} = ${name('f')} * ${name('f')};
const ${d.yx} = 0.25 * dt * v.oxy * ${name('s')} * (1 + ${name('s')} * ${name('s')});
const ${name('b')} = (v.tzy * ${name('g')} + 0.25 * dt * v.oyz) * ${name('g')};
const ${name('c')} = (${name('b')} * ${name('g')} + 0.25 * dt * v.oyz) * ${name('g')};
const ${d.zy} = 0.25 * dt * v.oyz * ${name('g')} * (1 + ${name('g')} * ${name('g')});
const ${d.zx} = 0.125 * dt * ${name('f')} * (v.oxz * (1 + ${name('s')} * (1 + ${name('s')} * (1 + ${name('s')}))) + v.oxy * (${name('c')} + ${name('s')} * (${name('b')} + ${name('s')} * (${name('b')} + ${name('s')} * v.tzy)))) - v.tzy * ${d.yx};
v.tzy = ${name('c')} / (1 + ${d.zz});`;
}

/** Origin and shears of a box with tilts, half a step further. */
function shearedBox(n: 1 | 2): string {
  const name = (one: string) => `${one}${n}`;
  const d = growthOf(n);
  return `
const ${name('oy')} = p.cy + p.qy * (1 + v.ey);
const ${name('oz')} = p.cz + p.qz * (1 + v.ez);
v.x += (v.x - p.cx) * ${d.xx} + (v.y - ${name('oy')}) * ${d.yx} + (v.z - ${name('oz')}) * ${d.zx};
v.y += (v.y - p.cy) * ${d.yy} + (v.z - ${name('oz')}) * ${d.zy};
v.z += (v.z - p.cz) * ${d.zz};
v.zx += v.zx * ${d.xx} + v.zy * ${d.yx} + v.zz * ${d.zx} + ${d.zx};
v.zy += v.zy * ${d.yy} + v.zz * ${d.zy} + ${d.zy};
v.yx += v.yx * ${d.xx} + v.yy * ${d.yx} + ${d.yx};`;
}

/** Numbers of how a way follows the box that are not 0, and of which half a step of it they are. */
export const waysIn = ({
  coupling,
  isLeaning,
}: BoxKind): (readonly [way: string, of: string])[] => [
  ...lengthsIn(coupling).map((a) => [a, leaderOf(coupling, a)] as const),
  ...(coupling === 'triclinic' || isLeaning ? ['yx', 'zx', 'zy'] : []).map((a) => [a, a] as const),
];

/** Factors of velocities in half a step of the strain rates. */
export function pressFactors(coupling: BarostatCoupling): string {
  const lengths = axes.map((a) => {
    const leader = leaderOf(coupling, a);
    if (leader !== a) return `v.g${a[0]} = v.g${leader[0]};`;
    const own = drivenIn(coupling).includes(a) ? `(v.o${a} + share)` : 'share';
    return `v.g${a[0]} = Math.exp(-0.25 * dt * ${own});`;
  });
  const across = coupling === 'triclinic' ? shears : [];
  return [...lengths, ...across.map((a) => `v.s${a} = -0.5 * dt * v.o${a};`)].join('\n');
}
