/** A number with its standard error, as people read it; a single frame tells no error. */
export function withError(value: number, error: number, digits = 4): string {
  const shown = String(Number(value.toPrecision(digits)));
  return Number.isFinite(error) ? `${shown} ± ${Number(error.toPrecision(2))}` : shown;
}
