/** What `1 / 3` lacks of a third. */
const LACKS = 1.850371707708594e-17;
/** Splits 53 bits in halves (Dekker 1971). */
const SPLIT = 2 ** 27 + 1;

/** `a · b` as a rounded product and what it lacks. */
function product(a: number, b: number): [number, number] {
  const halves = (x: number) => {
    const high = SPLIT * x - (SPLIT * x - x);
    return [high, x - high] as const;
  };
  const [[ah, al], [bh, bl]] = [halves(a), halves(b)];
  const p = a * b;
  return [p, ah * bh - p + ah * bl + al * bh + al * bl];
}

/** `pow(x, 1.0 / 3.0)` of C, rounded to the nearest number: `**` is off by one bit for one number of ten. */
export function cubeRoot(x: number): number {
  const root = x ** (1 / 3);
  const [square, squareLacks] = product(root, root);
  const [cube, cubeLacks] = product(square, root);
  const rest = x - cube - cubeLacks - squareLacks * root;
  return root + (rest / (3 * square) - LACKS * root * Math.log(x));
}
