/** The script of a worker, bundled; the build makes it from serveInPage.ts. */
declare module 'worker-code' {
  const text: string;
  export default text;
}
