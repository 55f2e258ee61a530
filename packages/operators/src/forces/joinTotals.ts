import type { PatternHandle } from '@corpuscle/patterns';

type Values = Readonly<Record<string, number>>;

/** One handle on the results of several calls, all names in one record. */
export function joinTotals(handles: readonly PatternHandle<Values>[]): PatternHandle<Values> {
  const join = (all: readonly Values[]): Values => Object.assign({}, ...all);
  const wait = async () => join(await Promise.all(handles.map((handle) => handle.wait())));
  return {
    wait,
    get done() {
      return handles.every((handle) => handle.done);
    },
    get value() {
      return join(handles.map((handle) => handle.value));
    },
    then: (fulfilled, rejected) => wait().then(fulfilled, rejected),
  };
}
