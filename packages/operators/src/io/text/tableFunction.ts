import { call, FunctionBuilder, f64, i32, v128 } from '@corpuscle/functor/wasm';
import { decimalFunction, layout } from './decimalFunction.js';

const [SPACE, LINE_FEED] = [32, 10] as const;

/**
 * `table(cell, cells, columns, numbers)` writes cells as words with spaces between them, a row on a line, from the address at
 * `layout.at` on, and leaves there where it ended. It gives the number of cells that are done: all of them, or up to a number that
 * `decimal` leaves to JavaScript.
 *
 *   numbers       f64 of each cell, rows one after the other; in columns of words their places in the list
 *   layout.kinds  i32 of each column: 0 for numbers, or where its words are listed as { address i32, bytes i32 }
 */
export function tableFunction(): FunctionBuilder {
  const f = new FunctionBuilder('table', ['i32', 'i32', 'i32', 'i32'], ['i32']);
  const decimal = decimalFunction();
  f.uses.set(decimal.name, decimal);
  const [first, cells, columns, numbers] = [0, 1, 2, 3].map((k) => f.param(k));
  const at = f.variable(i32.load(i32.const(layout.at)));
  const column = f.variable(i32.rem_u(first!, columns!));
  const cell = f.variable(first!);
  f.while(i32.lt_u(f.get(cell), cells!), (exit) => {
    const value = f.keep(f64.load(i32.add(numbers!, i32.shl(f.get(cell), i32.const(3)))));
    const words = f.keep(i32.load(i32.shl(f.get(column), i32.const(2)), layout.kinds));
    f.if(
      i32.eqz(words),
      () => {
        const end = f.keep(call('decimal', value, f.get(at)), 'i32');
        f.brIf(exit, i32.eqz(end));
        f.set(at, end);
      },
      () => {
        const entry = f.keep(i32.add(words, i32.shl(i32.trunc_sat_f64_u(value), i32.const(3))));
        const from = f.keep(i32.load(entry));
        const bytes = f.keep(i32.load(entry, 4));
        f.range(
          i32.const(0),
          bytes,
          (k) => f.emit(v128.store(i32.add(f.get(at), k), v128.load(i32.add(from, k)))),
          16,
        );
        f.increment(at, bytes);
      },
    );
    f.increment(column);
    f.if(
      i32.eq(f.get(column), columns!),
      () => {
        f.set(column, i32.const(0));
        f.emit(i32.store8(f.get(at), i32.const(LINE_FEED)));
      },
      () => f.emit(i32.store8(f.get(at), i32.const(SPACE))),
    );
    f.increment(at);
    f.increment(cell);
  });
  f.emit(i32.store(i32.const(layout.at), f.get(at)));
  f.emit(f.get(cell));
  return f;
}
