/** One evaluation, in the units of the user. */
export interface CoordinationRecord {
  readonly step: number;
  readonly time: number;
  readonly value: number;
  readonly boxDerivatives: readonly (readonly number[])[];
  /** Not needed for tables. */
  readonly particles?: {
    /** x0 y0 z0 x1 … in the order of ids. */
    readonly derivatives: ArrayLike<number>;
    readonly perParticle: ArrayLike<number>;
  };
}

/** `json`: a line of JSON for each frame, with everything; `csv` and `colvar` (PLUMED's) are tables of the value. */
export const coordinationFormats = ['json', 'csv', 'colvar'] as const;
export type CoordinationFormat = (typeof coordinationFormats)[number];

/** The format that a file's name suggests. */
export function formatOfName(file: string): CoordinationFormat {
  if (/\.csv$/i.test(file)) return 'csv';
  return /(^|[/\\.])colvar[^/\\]*$/i.test(file) ? 'colvar' : 'json';
}

/** What a file begins with. */
export function coordinationHeader(format: CoordinationFormat): string {
  if (format === 'csv') return 'step,time,coordination\n';
  return format === 'colvar' ? '#! FIELDS time coordination\n' : '';
}

/** One frame, with a newline; every number reads back to the same f64. */
export function* coordinationLines(
  format: CoordinationFormat,
  record: CoordinationRecord,
): Generator<string> {
  const { step, time, value, boxDerivatives, particles } = record;
  if (format === 'csv') yield `${step},${time},${value}\n`;
  else if (format === 'colvar') yield ` ${time} ${value}\n`;
  else {
    yield `{"step":${step},"value":${value}`;
    if (particles) {
      yield* list('derivatives', particles.perParticle.length, (k) => {
        const { derivatives } = particles;
        return `[${derivatives[3 * k]},${derivatives[3 * k + 1]},${derivatives[3 * k + 2]}]`;
      });
    }
    yield `,"box_derivatives":${JSON.stringify(boxDerivatives)}`;
    if (particles)
      yield* list('per_particle', particles.perParticle.length, (k) =>
        String(particles.perParticle[k]),
      );
    yield '}\n';
  }
}

/** Pieces of a list: a million particles make a line too long to hold at once. */
function* list(name: string, length: number, item: (k: number) => string): Generator<string> {
  yield `,"${name}":[`;
  const CHUNK = 4096;
  for (let start = 0; start < length; start += CHUNK) {
    const items: string[] = [];
    for (let k = start; k < Math.min(start + CHUNK, length); k++) items.push(item(k));
    yield `${start > 0 ? ',' : ''}${items.join(',')}`;
  }
  yield ']';
}
