/** A curve or a histogram. */
export interface Series {
  /** For the legend; '' for none. */
  readonly name: string;
  readonly x: readonly number[];
  readonly y: readonly number[];
  /** Standard errors of y: bars through marks, a band around a line. */
  readonly error?: readonly number[];
}

/** A diagram of one or more series over a common x axis. */
export interface Plot {
  readonly title: string;
  /** Labels of the axes. */
  readonly x: string;
  readonly y: string;
  readonly series: readonly Series[];
  /** Bars of this width around every x, instead of a line. */
  readonly bars?: number;
}

const [WIDTH, HEIGHT] = [720, 440];
const FRAME = { left: 84, right: 20, top: 44, bottom: 58 };
const COLORS = ['#1f6fb4', '#d1495b', '#2a9d5c', '#8a5fbf', '#c98a1b', '#3a3a3a'];
/** A line of more points than this has no marks. */
const MARKED = 60;

/** A plot as a standalone SVG image. Points that are not finite leave a gap. */
export function plotSvg(plot: Plot): string {
  const { series, bars } = plot;
  const xs = axisOf(
    series.flatMap(({ x }) => x),
    bars === undefined ? 0 : bars / 2,
  );
  const ys = axisOf([...series.flatMap(reachOf), ...(bars === undefined ? [] : [0])], 0);
  const px = (x: number) => FRAME.left + (WIDTH - FRAME.left - FRAME.right) * xs.at(x);
  const py = (y: number) => HEIGHT - FRAME.bottom - (HEIGHT - FRAME.top - FRAME.bottom) * ys.at(y);
  const [left, right] = [px(xs.low), px(xs.high)];
  const [bottom, top] = [py(ys.low), py(ys.high)];
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" font-family="sans-serif" font-size="13">`,
    `<title>${escaped(plot.title)}</title>`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="white"/>`,
    text((left + right) / 2, 26, plot.title, 'text-anchor="middle" font-size="16"'),
    text((left + right) / 2, HEIGHT - 14, plot.x, 'text-anchor="middle"'),
    text(
      0,
      0,
      plot.y,
      `text-anchor="middle" transform="translate(20 ${fixed((top + bottom) / 2)}) rotate(-90)"`,
    ),
  ];
  for (const tick of xs.ticks) {
    parts.push(line(px(tick), bottom, px(tick), top, '#e4e4e4'));
    parts.push(text(px(tick), bottom + 19, label(tick, xs.step), 'text-anchor="middle"'));
  }
  for (const tick of ys.ticks) {
    parts.push(line(left, py(tick), right, py(tick), '#e4e4e4'));
    parts.push(text(left - 8, py(tick) + 4, label(tick, ys.step), 'text-anchor="end"'));
  }
  series.forEach(({ name, x, y, error }, k) => {
    const color = COLORS[k % COLORS.length]!;
    const points = x.map((value, n) => [value, y[n]!] as const);
    if (error) parts.push(...errorBars(points, error, px, py, color));
    if (bars === undefined) parts.push(...curve(points, px, py, color));
    else
      for (const [at, value] of points.filter(([, v]) => Number.isFinite(v) && v !== 0)) {
        const [from, to] = [px(at - bars / 2), px(at + bars / 2)];
        const height = py(0) - py(value);
        parts.push(
          `<rect x="${fixed(from)}" y="${fixed(py(value))}" width="${fixed(Math.max(0.5, to - from - 1))}" height="${fixed(height)}" fill="${color}" fill-opacity="0.8"/>`,
        );
      }
    if (name === '') return;
    const y0 = top + 18 + 18 * k;
    parts.push(line(right - 110, y0 - 4, right - 88, y0 - 4, color, 2));
    parts.push(text(right - 82, y0, name, ''));
  });
  parts.push(
    `<rect x="${fixed(left)}" y="${fixed(top)}" width="${fixed(right - left)}" height="${fixed(bottom - top)}" fill="none" stroke="#444"/>`,
    '</svg>\n',
  );
  return parts.join('\n');
}

/** Values, and how far their errors reach. */
const reachOf = ({ y, error }: Series): readonly number[] =>
  error ? y.flatMap((value, k) => [value - (error[k] || 0), value + (error[k] || 0)]) : y;

/** Bars from below to above a few points, a band around many. */
function errorBars(
  points: readonly Point[],
  error: readonly number[],
  px: (x: number) => number,
  py: (y: number) => number,
  color: string,
): string[] {
  const ends = points.flatMap(([x, y], k) => {
    const e = error[k]!;
    return Number.isFinite(x + y + e) ? [{ x: px(x), low: py(y - e), high: py(y + e) }] : [];
  });
  if (points.length <= MARKED) return ends.map(({ x, low, high }) => line(x, low, x, high, color));
  const above = ends.map(({ x, high }) => `${fixed(x)},${fixed(high)}`);
  const below = ends.map(({ x, low }) => `${fixed(x)},${fixed(low)}`).reverse();
  const outline = [...above, ...below].join(' ');
  return [`<polygon points="${outline}" fill="${color}" fill-opacity="0.2"/>`];
}

type Point = readonly [number, number];

function curve(
  points: readonly Point[],
  px: (x: number) => number,
  py: (y: number) => number,
  color: string,
): string[] {
  const parts: string[] = [];
  let run: string[] = [];
  const end = () => {
    if (run.length > 1)
      parts.push(
        `<polyline points="${run.join(' ')}" fill="none" stroke="${color}" stroke-width="1.6"/>`,
      );
    run = [];
  };
  for (const [x, y] of points) {
    if (!Number.isFinite(x + y)) {
      end();
      continue;
    }
    run.push(`${fixed(px(x))},${fixed(py(y))}`);
    if (points.length <= MARKED)
      parts.push(`<circle cx="${fixed(px(x))}" cy="${fixed(py(y))}" r="2.4" fill="${color}"/>`);
  }
  end();
  return parts;
}

/** A range of round numbers that holds all values, and where its ticks are. */
function axisOf(values: readonly number[], margin: number) {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const value of values) {
    if (!Number.isFinite(value)) continue;
    low = Math.min(low, value - margin);
    high = Math.max(high, value + margin);
  }
  if (low > high) [low, high] = [0, 1];
  if (low === high) {
    const room = Math.abs(low) > 0 ? Math.abs(low) * 0.05 : 0.5;
    [low, high] = [low - room, high + room];
  }
  const rough = (high - low) / 6;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5, 10].find((k) => k * power >= rough) ?? 10);
  const first = Math.floor(low / step + 1e-9);
  const last = Math.ceil(high / step - 1e-9);
  [low, high] = [first * step, last * step];
  return {
    low,
    high,
    step,
    ticks: Array.from({ length: last - first + 1 }, (_, k) => (first + k) * step),
    at: (value: number) => (value - low) / (high - low),
  };
}

/** A tick's number with as many digits as the step has. */
function label(value: number, step: number): string {
  if (Math.abs(value) < step / 2) return '0';
  const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  if (Math.abs(value) >= 1e6 || digits > 6) return value.toExponential(2);
  return value.toFixed(digits).replace('-', '−');
}

const fixed = (value: number): string => String(Number(value.toFixed(2)));
const escaped = (value: string): string =>
  value.replace(/[&<>"]/g, (c) => `&#${c.codePointAt(0)};`);
const text = (x: number, y: number, value: string, attributes: string): string =>
  `<text x="${fixed(x)}" y="${fixed(y)}" ${attributes}>${escaped(value)}</text>`;
const line = (x1: number, y1: number, x2: number, y2: number, color: string, width = 1): string =>
  `<line x1="${fixed(x1)}" y1="${fixed(y1)}" x2="${fixed(x2)}" y2="${fixed(y2)}" stroke="${color}" stroke-width="${width}"/>`;
