/** Dots of a character of Unicode's Braille patterns, by row and column. */
const DOTS = [
  [0x01, 0x08],
  [0x02, 0x10],
  [0x04, 0x20],
  [0x40, 0x80],
] as const;

/** What is drawn, and how large. */
export interface TerminalPlot {
  readonly title: string;
  readonly x: readonly number[];
  readonly y: readonly number[];
  /** Characters, with the numbers at the axes. */
  readonly width: number;
  readonly height: number;
}

/** A curve in characters; each has two by four dots. Gives the lines from top to bottom, the title first. */
export function terminalPlot({ title, x, y, width, height }: TerminalPlot): string[] {
  const [low, high] = rangeOf(y);
  const [from, to] = rangeOf(x);
  const labels = [high, low].map(label);
  const room = Math.max(...labels.map(({ length }) => length));
  const columns = Math.max(8, width - room - 2);
  const cells = Array.from({ length: height }, () => new Array<number>(columns).fill(0));
  const mark = (px: number, py: number) => {
    const row = cells[py >> 2]!;
    row[px >> 1] = row[px >> 1]! | DOTS[py & 3]![px & 1]!;
  };
  const [right, bottom] = [2 * columns - 1, 4 * height - 1];
  const at = (k: number): readonly [number, number] => [
    Math.round((right * (x[k]! - from)) / (to - from)),
    Math.round((bottom * (high - y[k]!)) / (high - low)),
  ];
  for (let k = 0; k < x.length; k++) {
    const [px, py] = at(k);
    const [ox, oy] = k > 0 ? at(k - 1) : [px, py];
    const dots = Math.max(1, Math.abs(px - ox), Math.abs(py - oy));
    for (let n = 0; n <= dots; n++)
      mark(Math.round(ox + ((px - ox) * n) / dots), Math.round(oy + ((py - oy) * n) / dots));
  }
  const rows = cells.map((row, k) => {
    const text = k === 0 ? labels[0]! : k === height - 1 ? labels[1]! : '';
    const curve = String.fromCodePoint(...row.map((dots) => 0x2800 + dots));
    return `${text.padStart(room)} │${curve.replace(/\u2800+$/, '')}`;
  });
  const [first, last] = [label(from), label(to)];
  const gap = ' '.repeat(Math.max(1, columns - first.length - last.length));
  return [title, ...rows, `${' '.repeat(room + 2)}${first}${gap}${last}`];
}

/** The least and the largest value, apart where they are the same. */
function rangeOf(values: readonly number[]): readonly [number, number] {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) {
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  const margin = high > low ? 0 : Math.abs(low) * 0.01 || 1;
  return [low - margin, high + margin];
}

const label = (value: number): string => String(Number(value.toPrecision(4)));
