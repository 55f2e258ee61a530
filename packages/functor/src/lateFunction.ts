/**
 * A function that is made when it is first called. Pages may forbid to evaluate text (Content-Security-Policy): what is only compiled
 * for kernels is then never evaluated.
 *
 * @param length how many arguments it takes
 */
export function lateFunction<F extends (...args: never[]) => unknown>(
  length: number,
  make: () => F,
): F {
  let made: F | undefined;
  const late = (...args: Parameters<F>): unknown => {
    made ??= make();
    return made(...args);
  };
  return Object.defineProperty(late, 'length', { value: length }) as unknown as F;
}
