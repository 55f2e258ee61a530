import { type Appearance, usualAppearance } from '../session/messages.js';
import { byId, choice, labeled } from './elements.js';
import type { Link } from './Link.js';

const COLORS = [
  ['type', 'color by type'],
  ['speed', 'speed'],
  ['vx', 'velocity x'],
  ['fx', 'force x'],
  ['rz', 'height z'],
  ['formula', 'field or formula'],
] as const;

const MAPS = ['viridis', 'plasma', 'inferno', 'coolwarm', 'gray'].map((map) => [map, map] as const);

const CUTS = [
  ['', 'nothing cut'],
  ['0', 'slice along x'],
  ['1', 'slice along y'],
  ['2', 'slice along z'],
] as const;

const LENSES = [
  ['', 'perspective'],
  ['flat', 'orthographic'],
] as const;

type Change = (part: Partial<Appearance>) => void;

/** What particles look like: colors above, the rest folded away, so that small windows keep their canvas. */
export function appearance(link: Link): void {
  let look = usualAppearance;
  const change: Change = (part) => {
    look = { ...look, ...part };
    link.ask({ kind: 'look', look });
  };
  byId('look').append(
    ...color(change),
    choice('Color map', MAPS, (map) => change({ map })),
  );
  byId('view').append(
    ...slice(change),
    choice('Projection', LENSES, (lens) => change({ isOrthographic: lens === 'flat' })),
    images(change),
    size(change),
    shown('box', (box) => change({ box })),
    shown('bonds', (bonds) => change({ bonds })),
  );
  followTheme(change);
}

/** Of types, of usual numbers, or of what is typed. */
function color(change: Change): HTMLElement[] {
  const formula = Object.assign(document.createElement('input'), {
    ...{ value: 'sqrt(vx**2 + vy**2)', size: 20, hidden: true, spellcheck: false },
    title: 'A field of the particles, or a formula of fields',
  });
  formula.setAttribute('aria-label', 'Formula of the color');
  formula.onchange = () => change({ formula: formula.value });
  const choose = choice('Color of particles', COLORS, (name) => {
    formula.hidden = name !== 'formula';
    change({ color: name, formula: formula.value });
  });
  return [choose, formula];
}

/** A slice across an axis, between two places. */
function slice(change: Change): HTMLElement[] {
  const places = ['From', 'To'].map((name, k) => {
    const input = Object.assign(document.createElement('input'), {
      ...{ type: 'range', min: '0', max: '1', step: '0.005', value: String(0.5 + 0.5 * k) },
    });
    const label = labeled(name.toLowerCase(), input, `${name} this part of the box`);
    label.hidden = true;
    input.oninput = () => tell();
    return { input, label };
  });
  let axis = '';
  const tell = () => {
    const [from, to] = places.map(({ input }) => Number(input.value));
    change({
      slice: axis ? { axis: Number(axis) as 0 | 1 | 2, from: from!, to: to! } : null,
    });
  };
  const cut = choice('Slice', CUTS, (value) => {
    axis = value;
    for (const { label } of places) label.hidden = !axis;
    tell();
  });
  return [cut, ...places.map(({ label }) => label)];
}

function size(change: Change): HTMLElement {
  const input = Object.assign(document.createElement('input'), {
    ...{ type: 'range', min: '0.1', max: '2', step: '0.05', value: '1' },
  });
  input.oninput = () => change({ size: Number(input.value) });
  return labeled('size', input, 'Size of the spheres');
}

/** Boxes along a, b and c. */
function images(change: Change): HTMLElement {
  const input = Object.assign(document.createElement('input'), { value: '1x1x1', size: 5 });
  input.onchange = () => {
    const [, ...counts] = /^([1-9]) *[x×] *([1-9]) *[x×] *([1-9])$/.exec(input.value.trim()) ?? [];
    input.setCustomValidity(counts.length ? '' : 'Boxes along a, b and c, up to 9: 2x2x1');
    if (!input.reportValidity()) return;
    change({ images: counts.map(Number) as unknown as Appearance['images'] });
  };
  return labeled('images', input, 'Periodic images along a, b and c');
}

function shown(name: string, onChange: (isShown: boolean) => void): HTMLElement {
  const input = Object.assign(document.createElement('input'), { type: 'checkbox', checked: true });
  input.onchange = () => onChange(input.checked);
  return labeled(name, input, `Draw the ${name}`);
}

function followTheme(change: Change): void {
  const isDark = matchMedia('(prefers-color-scheme: dark)');
  const show = () => {
    const theme = document.documentElement.dataset.theme ?? (isDark.matches ? 'dark' : 'light');
    change({ background: theme === 'dark' ? [0.086, 0.094, 0.11] : [1, 1, 1] });
  };
  show();
  isDark.onchange = show;
  addEventListener('themechange', show);
}
