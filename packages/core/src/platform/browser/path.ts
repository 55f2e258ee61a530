/** Names of files with `/`, as `path.posix` of Node reads them. The working directory is `/`. */
export const path = {
  sep: '/',
  isAbsolute: (name: string): boolean => name.startsWith('/'),
  normalize,
  join: (...parts: string[]): string => normalize(parts.filter((part) => part !== '').join('/')),
  resolve(...parts: string[]): string {
    const last = parts.findLastIndex((part) => part.startsWith('/'));
    const name = normalize(`/${parts.slice(Math.max(0, last)).join('/')}`);
    return name.length > 1 && name.endsWith('/') ? name.slice(0, -1) : name;
  },
  dirname(name: string): string {
    const end = name.lastIndexOf('/', name.length - 2);
    if (end < 0) return '.';
    return end === 0 ? '/' : name.slice(0, end);
  },
  basename(name: string, ending = ''): string {
    const base = name.replace(/\/+$/, '').split('/').at(-1)!;
    const isEnd = ending !== '' && base !== ending && base.endsWith(ending);
    return isEnd ? base.slice(0, -ending.length) : base;
  },
  extname(name: string): string {
    const base = path.basename(name);
    const dot = base.lastIndexOf('.');
    return dot <= 0 || base === '..' ? '' : base.slice(dot);
  },
  parse(name: string) {
    const ext = path.extname(name);
    const base = path.basename(name);
    const dir = name.includes('/') ? path.dirname(name) : '';
    return {
      root: name.startsWith('/') ? '/' : '',
      dir,
      base,
      ext,
      name: path.basename(base, ext),
    };
  },
  relative(from: string, to: string): string {
    const a = path.resolve(from).split('/').filter(Boolean);
    const b = path.resolve(to).split('/').filter(Boolean);
    let same = 0;
    while (same < a.length && a[same] === b[same]) same++;
    return [...a.slice(same).map(() => '..'), ...b.slice(same)].join('/');
  },
};

function normalize(name: string): string {
  const isAbsolute = name.startsWith('/');
  const parts: string[] = [];
  for (const part of name.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.length > 0 && parts.at(-1) !== '..') parts.pop();
    else if (!isAbsolute) parts.push('..');
  }
  const end = name.endsWith('/') ? '/' : '';
  if (isAbsolute) return `/${parts.join('/')}${parts.length > 0 ? end : ''}`;
  return `${parts.join('/') || '.'}${end}`;
}
