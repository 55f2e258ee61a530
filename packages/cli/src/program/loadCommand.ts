/** Loads what a command needs. Functors of operators are compiled when they are first used: most commands use few of them, and start sooner. */
export async function loadCommand<T>(load: () => Promise<T>): Promise<T> {
  const { compileWhenUsed } = await import('@corpuscle/functor');
  return compileWhenUsed(load);
}
