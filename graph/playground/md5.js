// MD5 (RFC 1321) for the signature of a request: browsers offer no MD5.

// Rotations of the four rounds, and the table of sines.
const turns = [[7, 12, 17, 22], [5, 9, 14, 20], [4, 11, 16, 23], [6, 10, 15, 21]];
const sines = Array.from({ length: 64 }, (_, i) => Math.floor(Math.abs(Math.sin(i + 1)) * 2 ** 32));

// Bit functions of the rounds, and which word of the block a step reads.
const mix = [
  (b, c, d) => (b & c) | (~b & d),
  (b, c, d) => (d & b) | (~d & c),
  (b, c, d) => b ^ c ^ d,
  (b, c, d) => c ^ (b | ~d),
];
const word = [(i) => i, (i) => 5 * i + 1, (i) => 3 * i + 5, (i) => 7 * i];

// md5 is the digest of a text's UTF-8 bytes in lower-case hexadecimal.
export function md5(text) {
  const bytes = new TextEncoder().encode(text);
  const size = ((bytes.length + 72) >> 6) << 6; // room for the 0x80 and the length
  const padded = new Uint8Array(size);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(size - 8, bytes.length << 3, true);
  view.setUint32(size - 4, bytes.length >>> 29, true);

  const state = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476];
  for (let block = 0; block < size; block += 64) {
    let [a, b, c, d] = state;
    for (let i = 0; i < 64; i++) {
      const round = i >> 4;
      const sum = (a + mix[round](b, c, d) + sines[i] + view.getUint32(block + 4 * (word[round](i) % 16), true)) | 0;
      const turn = turns[round][i % 4];
      [a, b, c, d] = [d, (b + ((sum << turn) | (sum >>> (32 - turn)))) | 0, b, c];
    }
    [a, b, c, d].forEach((x, i) => (state[i] = (state[i] + x) | 0));
  }
  state.forEach((x, i) => view.setUint32(4 * i, x, true));
  return Array.from(padded.subarray(0, 16), (x) => x.toString(16).padStart(2, "0")).join("");
}
