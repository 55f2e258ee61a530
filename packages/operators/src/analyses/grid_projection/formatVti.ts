import { base64 } from '@corpuscle/core/platform';
import type { Projection } from './projectParticles.js';

/** How numbers are written: text that people read, or base64 that keeps files small. */
export type VtiEncoding = 'ascii' | 'base64';

/**
 * A projection as a VTK image (`.vti`, XML, serial): one point more than voxels along each edge, and fields as cell data of
 * f64. ParaView, VisIt and PyVista read it.
 *
 *   base64 of [ bytes of the array, u64 | the array, f64 ]      in one piece, as VTK writes it without compression
 */
export function* formatVti(
  { dims, origin, spacing, fields }: Projection,
  encoding: VtiEncoding = 'base64',
): Generator<string> {
  const extent = dims.map((n) => `0 ${n}`).join(' ');
  const names = Object.keys(fields);
  yield '<?xml version="1.0"?>\n';
  yield '<VTKFile type="ImageData" version="1.0" byte_order="LittleEndian" header_type="UInt64">\n';
  yield `  <ImageData WholeExtent="${extent}" Origin="${origin.join(' ')}" Spacing="${spacing.join(' ')}">\n`;
  yield `    <Piece Extent="${extent}">\n`;
  yield `      <CellData Scalars="${names[0] ?? ''}">\n`;
  const format = encoding === 'ascii' ? 'ascii' : 'binary';
  for (const name of names) {
    yield `        <DataArray type="Float64" Name="${name}" format="${format}">\n`;
    yield encoding === 'ascii' ? asciiText(fields[name]!) : `${base64Text(fields[name]!)}\n`;
    yield '        </DataArray>\n';
  }
  yield '      </CellData>\n    </Piece>\n  </ImageData>\n</VTKFile>\n';
}

function asciiText(values: Float64Array): string {
  let text = '';
  for (let k = 0; k < values.length; k += 6) text += `${values.slice(k, k + 6).join(' ')}\n`;
  return text;
}

function base64Text(values: Float64Array): string {
  const bytes = new Uint8Array(8 + values.byteLength);
  const view = new DataView(bytes.buffer);
  view.setBigUint64(0, BigInt(values.byteLength), true);
  values.forEach((value, k) => {
    view.setFloat64(8 + 8 * k, value, true);
  });
  return base64(bytes);
}
