/**
 * Statements that turn words into entries, four at a time. Threads that have come equally far write together, so nothing in
 * the loop depends on the thread but where its words end: none is zero, and dummies fill up the last vector. Before the
 * end only whole vectors are written, and what is left over, three words at most, moves to the front.
 */
export function storeWords(atEnd: boolean): string {
  // The exponent of a float tells which bit it is: faster than to count zeros.
  const entry = (component: string): string => `
                if (bits_ == 0u) { let word = words[next]; bits_ = word.x; code_ = word.y - 127u; next++; }
                {
                  let bit = bits_ & (0u - bits_);
                  pack.${component} = code_ + (bitcast<u32>(f32(bit)) >> 23u);
                  bits_ ^= bit;
                }`;
  const moveUp = `
              var kept = 0u;
              if (bits_ != 0u) { words[0] = vec2u(bits_, code_ + 127u); kept = 1u; }
              for (var left = filled - next; left > 0u; left--) { words[kept] = words[next]; kept++; next++; }
              filled = kept;`;
  return `
              var next = 0u;
              var bits_ = 0u;
              var code_ = 0u;
              var pack: vec4u;
              ${atEnd ? 'words[filled] = vec2u(7u, P.count);' : ''}
              let vectors = ${atEnd ? '(found + 3u) >> 2u' : 'found >> 2u'};
              for (var left = vectors - stored; left > 0u; left--) {${[...'xyzw'].map(entry).join('')}
                if (stored < P.columns) { entries[stored * P.stride + index] = pack; }
                stored++;
              }${atEnd ? '' : moveUp}`;
}
