declare module '*?raw' {
  const text: string;
  export default text;
}
declare module '*.css';

interface ImportMeta {
  /** Texts of the files that fit a pattern, by their paths. */
  glob(
    pattern: string,
    options: { query: '?raw'; import: 'default'; eager: true },
  ): Record<string, string>;
}
