const inPackages = (folders: string): RegExp =>
  new RegExp(
    `[\\\\/](?:@corpuscle|packages)[\\\\/](?:functor|core|patterns|operators|view|webgl|mpi|cli)[\\\\/](?:${folders})[\\\\/]`,
  );
const built = inPackages('dist');
const own = inPackages('dist|src');

/** Whether a file, or a place in one, is of a package of Corpuscle as it is built. */
export const isBuilt = (file: string): boolean => built.test(file);

/**
 * Whether a file, or a place in one, is of a package of Corpuscle, built or not: a mistake there is not the author's of an operator.
 *
 * @example isOurs('/home/me/node_modules/@corpuscle/core/dist/index.js') → true
 */
export const isOurs = (file: string): boolean => own.test(file);

/** The places in files that a stack names, `file:line:column` each; those of Node and of pages are none. */
export const placesIn = (stack: string): readonly string[] =>
  stack.split('\n').flatMap((line) => {
    const place = /^\s*at (?:.*[ (])?((?:file:\/\/|\/|[A-Za-z]:[\\/])[^()]*:\d+:\d+)\)?$/.exec(
      line,
    )?.[1];
    return place?.replace('file://', '') ?? [];
  });
