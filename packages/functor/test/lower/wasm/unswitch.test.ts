import { describe, expect, it } from 'vitest';
import { unswitched } from '../../../src/lower/wasm/unswitch.js';
import type { WasmNode } from '../../../src/lower/wasm/WasmNode.js';

const set = (local: number): WasmNode => ['local.set', local, ['f64.const', 1]];
const below = (local: number): WasmNode => ['f64.lt', ['local.get', local], ['f64.const', 0.5]];

describe('a branch taken out of a loop', () => {
  it('has the code around it in both copies of the loop', () => {
    const list: WasmNode[] = [set(1), ['if', below(9), [set(2)], [set(3)]], set(4)];
    expect(unswitched(list)).toEqual({
      condition: below(9),
      taken: [set(1), set(2), set(4)],
      left: [set(1), set(3), set(4)],
    });
  });

  it('is the first branch whose condition stays the same in the loop', () => {
    const changing: WasmNode = ['if', below(1), [set(2)], []];
    const list: WasmNode[] = [set(1), changing, ['if', below(8), [set(3)], []]];
    expect(unswitched(list)?.taken).toEqual([set(1), changing, set(3)]);
    expect(unswitched(list)?.left).toEqual([set(1), changing]);
  });

  it('stays inside if its condition is read from memory or set within the branch', () => {
    const loaded: WasmNode = ['f64.load', 0, ['local.get', 9]];
    expect(unswitched([['if', ['f64.lt', loaded, ['f64.const', 0]], [set(1)], []]])).toBeNull();
    expect(unswitched([['if', below(1), [set(1)], []]])).toBeNull();
    expect(unswitched([set(1)])).toBeNull();
  });
});
