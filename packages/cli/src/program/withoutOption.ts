/**
 * A command line without an option and its value.
 * @example withoutOption(['run', 'a.yaml', '--jobs', '2'], '--jobs') // ['run', 'a.yaml']
 */
export function withoutOption(argv: readonly string[], option: string): string[] {
  return argv.filter(
    (word, k) => word !== option && !word.startsWith(`${option}=`) && argv[k - 1] !== option,
  );
}
