/** A finite number as a WGSL literal of type f32: the fewest digits that mean the same float. */
export function singleLiteral(value: number): string {
  const single = Math.fround(value);
  let digits = 1;
  while (digits < 9 && Math.fround(Number(single.toPrecision(digits))) !== single) digits++;
  const short = String(Number(single.toPrecision(digits)));
  const literal = `${/[.e]/.test(short) ? short : `${short}.0`}f`;
  if (Object.is(single, -0)) return '(-0.0f)';
  return single < 0 ? `(${literal})` : literal;
}
