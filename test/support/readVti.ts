/** A VTK image as a reader of its own sees it; it shares nothing with the writer but the format. */
export interface VtiImage {
  readonly cells: readonly number[];
  readonly origin: readonly number[];
  readonly spacing: readonly number[];
  readonly arrays: Readonly<Record<string, readonly number[]>>;
}

const attribute = (tag: string, name: string): string => {
  const found = new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1];
  if (found === undefined) throw new Error(`${tag} has no attribute ${name}`);
  return found;
};
const numbers = (text: string): number[] => text.trim().split(/\s+/).map(Number);

/** Reads ImageData with cell data of f64, ASCII or inline base64. */
export function readVti(text: string): VtiImage {
  const file = /<VTKFile [^>]*>/.exec(text)![0];
  if (attribute(file, 'type') !== 'ImageData') throw new Error('no image');
  if (attribute(file, 'byte_order') !== 'LittleEndian') throw new Error('big endian');
  const image = /<ImageData [^>]*>/.exec(text)![0];
  const extent = numbers(attribute(image, 'WholeExtent'));
  const cells = [0, 1, 2].map((k) => extent[2 * k + 1]! - extent[2 * k]!);
  const section = /<CellData[^>]*>([\s\S]*)<\/CellData>/.exec(text)![1]!;
  const arrays: Record<string, number[]> = {};
  for (const [, tag, body] of section.matchAll(/<DataArray ([^>]*)>([\s\S]*?)<\/DataArray>/g)) {
    const ascii = attribute(tag!, 'format') === 'ascii';
    arrays[attribute(tag!, 'Name')] = ascii ? numbers(body!) : decode(body!);
  }
  for (const [name, values] of Object.entries(arrays))
    if (values.length !== cells[0]! * cells[1]! * cells[2]!)
      throw new Error(`${name} has ${values.length} numbers`);
  const [origin, spacing] = [attribute(image, 'Origin'), attribute(image, 'Spacing')].map(numbers);
  return { cells, origin: origin!, spacing: spacing!, arrays };
}

function decode(body: string): number[] {
  const bytes = Buffer.from(body.trim(), 'base64');
  const length = Number(bytes.readBigUInt64LE(0));
  if (bytes.length !== 8 + length) throw new Error('the header does not fit the data');
  return Array.from({ length: length / 8 }, (_, k) => bytes.readDoubleLE(8 + 8 * k));
}
