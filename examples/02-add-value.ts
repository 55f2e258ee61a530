// Adds a value to every element of a 2-D array, with two levels of parallelism: blocks share the rows, the lanes of a
// block share the columns of a row.            npx tsx examples/02-add-value.ts [cpu|webgpu]
import {
  blockFunctor,
  blockParallelFor,
  createArray,
  createExecutionContext,
  explain,
  newestOnHost,
} from '@corpuscle/patterns';

const addValue = blockFunctor(
  {
    name: 'add_value',
    arrays: { values: 'real' },
    params: { columns: 'i32', value: 'real' },
  },
  (b, a, p) => {
    for (let k = b.lane; k < p.columns; k += b.size) a.values[b.index * p.columns + k] += p.value;
  },
);

const backend = process.argv[2] === 'webgpu' ? 'webgpu' : 'cpu';
await using ctx = await createExecutionContext({ backend });

const [rows, columns] = [1000, 200];
const values = createArray(ctx, 'real', rows * columns);
values.write(Float64Array.from({ length: rows * columns }, (_, k) => k));

const enableGpu = rows * columns > 1000; // small arrays are not worth a trip to the GPU
const control = blockParallelFor(rows, addValue, ctx, {
  arrays: { values },
  params: { columns, value: 0.5 },
  enableGpu,
  asynchronous: true,
});
console.log('Meanwhile, the parallel operation is executing …');
await control.wait();

await newestOnHost(values, ctx);
const { backend: where, reason } = explain(addValue, ctx, { enableGpu });
console.log(
  `on ${where} (${reason}): first ${values.values[0]}, last ${values.values[rows * columns - 1]}`,
);
