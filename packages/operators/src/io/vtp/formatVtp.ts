import type { ParticleFrame } from '../extended_xyz/ParticleFrame.js';
import type { Piece } from '../frames/FrameFormat.js';

/** An array of a VTK file. */
interface VtkArray {
  readonly name: string;
  readonly type: 'Float64' | 'Int64' | 'Int32' | 'UInt32';
  readonly columns: number;
  readonly values: Float64Array | BigInt64Array | Int32Array | Uint32Array;
}

/**
 * A frame as VTK polygons (`.vtp`, XML): particles are points, with their columns as point data, and box, time and names of types as
 * field data. Arrays follow the text as they are in memory, each after its length:
 *
 *   <VTKFile> … offsets … <AppendedData encoding="raw">_[ bytes u64 | array ][ bytes u64 | array ] … </AppendedData></VTKFile>
 */
export function* formatVtp(frame: ParticleFrame): Generator<Piece> {
  const { count } = frame;
  const points = real('position', 3, frame.position);
  const data = [
    ...(frame.id ? [whole('id', frame.id)] : []),
    { name: 'type', type: 'UInt32', columns: 1, values: frame.type } as const,
    ...(['velocity', 'force'] as const).flatMap((name) =>
      frame[name] ? [real(name, 3, frame[name])] : [],
    ),
    ...(['energy', 'mass', 'charge', 'molecule'] as const).flatMap((name) =>
      frame[name] ? [real(name, 1, frame[name])] : [],
    ),
    ...(frame.extra.has('stress')
      ? [real('stress', 6, frame.extra.get('stress')!.values as Float64Array)]
      : []),
    ...(frame.image
      ? [{ name: 'image', type: 'Int32', columns: 3, values: frame.image } as const]
      : []),
  ];
  const fields = [
    ...(frame.time === undefined ? [] : [real('TimeValue', 1, Float64Array.of(frame.time))]),
    ...(frame.lattice
      ? [
          real('lattice', 3, Float64Array.from(frame.lattice)),
          real('origin', 3, Float64Array.from(frame.origin)),
        ]
      : []),
  ];
  // One cell of all points: ParaView draws points that belong to a cell.
  const verts = [
    whole(
      'connectivity',
      Array.from({ length: count }, (_, k) => k),
    ),
    whole('offsets', [count]),
  ];
  let offset = 0;
  const tag = (array: VtkArray, tuples = ''): string => {
    const at = offset;
    offset += 8 + array.values.byteLength;
    const columns = array.columns === 1 ? '' : ` NumberOfComponents="${array.columns}"`;
    return `<DataArray type="${array.type}" Name="${array.name}"${columns}${tuples} format="appended" offset="${at}"/>\n`;
  };
  const tuples = (array: VtkArray) => ` NumberOfTuples="${array.values.length / array.columns}"`;
  yield '<?xml version="1.0"?>\n<VTKFile type="PolyData" version="1.0" byte_order="LittleEndian" header_type="UInt64">\n<PolyData>\n';
  yield `<FieldData>\n${fields.map((array) => tag(array, tuples(array))).join('')}</FieldData>\n`;
  yield `<Piece NumberOfPoints="${count}" NumberOfVerts="1" NumberOfLines="0" NumberOfStrips="0" NumberOfPolys="0">\n`;
  yield `<Points>\n${tag(points)}</Points>\n`;
  yield `<PointData>\n${data.map((array) => tag(array)).join('')}</PointData>\n`;
  yield `<Verts>\n${verts.map((array) => tag(array)).join('')}</Verts>\n`;
  yield '</Piece>\n</PolyData>\n<AppendedData encoding="raw">\n_';
  for (const { values } of [...fields, points, ...data, ...verts]) {
    const length = new DataView(new ArrayBuffer(8));
    length.setBigUint64(0, BigInt(values.byteLength), true);
    yield new Uint8Array(length.buffer);
    yield new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
  }
  yield '\n</AppendedData>\n</VTKFile>\n';
}

const real = (name: string, columns: number, values: Float64Array): VtkArray => ({
  ...{ name, type: 'Float64', columns, values },
});

const whole = (name: string, values: ArrayLike<number>): VtkArray => ({
  ...{ name, type: 'Int64', columns: 1 },
  values: BigInt64Array.from(Array.from(values, BigInt)),
});
