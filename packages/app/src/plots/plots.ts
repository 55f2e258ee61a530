import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { byId, choice } from '../page/elements.js';
import type { Link } from '../page/Link.js';
import type { Table } from '../session/messages.js';

/** Columns that say where a row is. */
const ABSCISSAE = ['time', 'step', 'r'];
/** Columns that are shown by default. */
const USUAL = ['temperature', 'total_energy'];
const COLORS = ['#0072b2', '#d55e00'];

/** Two columns of any table that the run writes, while it writes them. */
export function plots(link: Link): void {
  const row = byId('columns');
  const place = byId('plot');
  let tables: readonly Table[] = [];
  let chosen: (string | null)[] = [null, null];
  let names = '';
  let plot: uPlot | null = null;
  const show = () => {
    const lines = chosen.flatMap((one) => {
      const [table, column] = find(tables, one);
      return table ? [{ table, column }] : [];
    });
    const key = lines.map(({ table, column }) => `${table.name} ${column}`).join();
    if (plot && place.dataset.key === key) plot.setData(dataOf(lines));
    else if (lines.length > 0) {
      plot?.destroy();
      place.dataset.key = key;
      plot = new uPlot(optionsOf(lines, place), dataOf(lines), place);
    }
    place.dataset.rows = String(lines[0]?.table.data[0]?.length ?? 0);
  };
  link.on('tables', (report) => {
    tables = report.tables;
    const all = tables.flatMap(({ name, columns }) =>
      columns.map(
        (column) => [`${name}\n${column}`, `${name.replace('out/', '')}: ${column}`] as const,
      ),
    );
    if (all.map(([value]) => value).join() !== names) {
      names = all.map(([value]) => value).join();
      chosen = chosen.map((one, k) =>
        all.some(([value]) => value === one) ? one : usualOf(tables, k),
      );
      row.replaceChildren(
        ...chosen.map((one, k) => {
          const made = choice(`Column ${k + 1}`, [['', 'nothing'], ...all], (value) => {
            chosen[k] = value || null;
            show();
          });
          made.value = one ?? '';
          return made;
        }),
      );
    }
    show();
  });
  new ResizeObserver(() => plot?.setSize(sizeOf(place))).observe(place);
}

interface Line {
  readonly table: Table;
  readonly column: string;
}

const sizeOf = (place: HTMLElement) => ({
  width: Math.max(200, place.clientWidth),
  height: 180,
});

function usualOf(tables: readonly Table[], k: number): string | null {
  const thermo = tables.find(({ columns }) => columns.includes(USUAL[k]!));
  return thermo ? `${thermo.name}\n${USUAL[k]}` : null;
}

function find(tables: readonly Table[], one: string | null): [Table | undefined, string] {
  const [name, column = ''] = one?.split('\n') ?? [];
  return [tables.find((table) => table.name === name && table.columns.includes(column)), column];
}

const numbers = ({ table, column }: Line) => table.data[table.columns.indexOf(column)]!;

function abscissaOf({ columns }: Table): string {
  return ABSCISSAE.find((name) => columns.includes(name)) ?? columns[0]!;
}

/** uPlot wants one row of abscissae: the second line has its own only in the same table. */
function dataOf(lines: readonly Line[]): uPlot.AlignedData {
  const along = (line: Line): [number[], number[]] => [
    [...numbers({ table: line.table, column: abscissaOf(line.table) })],
    [...numbers(line)],
  ];
  return lines.length === 1 ? along(lines[0]!) : uPlot.join(lines.map(along));
}

function optionsOf(lines: readonly Line[], place: HTMLElement): uPlot.Options {
  const ink = getComputedStyle(document.body).color;
  const axis = { stroke: ink, grid: { stroke: '#8884', width: 1 }, ticks: { stroke: '#8884' } };
  const [first, second] = lines;
  return {
    ...sizeOf(place),
    scales: { x: { time: false } },
    legend: { live: false },
    axes: [
      { ...axis, label: abscissaOf(first!.table), labelSize: 18, size: 30 },
      { ...axis, scale: 'a', size: 64 },
      ...(second
        ? [{ ...axis, scale: 'b', side: 1 as const, size: 64, grid: { show: false } }]
        : []),
    ],
    series: [
      {},
      ...lines.map(({ column }, k) => ({
        label: column,
        scale: 'ab'[k]!,
        stroke: COLORS[k]!,
        width: 1.5,
        points: { show: false },
        spanGaps: true,
      })),
    ],
  };
}
