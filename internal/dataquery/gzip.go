package dataquery

import (
	"encoding/binary"
	"hash/crc32"
)

// AppendGzip appends one gzip member (RFC 1952): a text that holds the rows as a
// JSON array between before and after. The stored chunks go in as they are, since
// each is flushed to a whole byte; what is around them goes in as blocks that are
// not compressed. Nothing is inflated, so that a damaged chunk is for the reader
// of the member to notice.
func (r Rows) AppendGzip(dst, before, after []byte) []byte {
	s := splice{text: append(dst, 0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255)} // deflate; no name, no time, unknown system
	s.stored(before, false)
	s.stored(open, false)
	for i, c := range r.Chunks {
		if i > 0 {
			s.stored(comma, false)
		}
		s.text = append(s.text, c.Data...)
		s.add(c.Crc32, c.Length)
	}
	s.stored(shut, false)
	s.stored(after, true)
	s.text = binary.LittleEndian.AppendUint32(s.text, s.crc)
	return binary.LittleEndian.AppendUint32(s.text, uint32(s.length))
}

// splice is a member in the making, with CRC-32 and length of its plain text.
type splice struct {
	text   []byte
	crc    uint32
	length int
}

// maxStored is the most bytes of a block that is not compressed.
const maxStored = 1<<16 - 1

// stored appends text in such blocks, of which the last may be the stream's
// final one.
func (s *splice) stored(text []byte, final bool) {
	s.add(crc32.ChecksumIEEE(text), len(text))
	for {
		n := min(len(text), maxStored)
		last := byte(0)
		if final && n == len(text) {
			last = 1
		}
		s.text = append(s.text, last, byte(n), byte(n>>8), ^byte(n), ^byte(n>>8))
		s.text = append(s.text, text[:n]...)
		if text = text[n:]; len(text) == 0 {
			return
		}
	}
}

func (s *splice) add(crc uint32, length int) {
	s.crc = combine(s.crc, crc, length)
	s.length += length
}

// combine is the CRC-32 of two texts one behind the other, of which it takes
// the CRC-32s and the length of the second in bytes. As in zlib's crc32_combine,
// a CRC is a polynomial over GF(2), to which n more zero bits are a
// multiplication by x^n modulo the polynomial of CRC-32; x^(8 length) is made
// by repeated squaring.
func combine(first, second uint32, length int) uint32 {
	shift, square := uint32(1)<<31, uint32(1)<<23 // x^0 and x^8: the highest bit is the lowest power
	for ; length > 0; length >>= 1 {
		if length&1 != 0 {
			shift = multiply(square, shift)
		}
		square = multiply(square, square)
	}
	return multiply(shift, first) ^ second
}

// multiply is a product modulo the polynomial of CRC-32.
func multiply(a, b uint32) (product uint32) {
	for ; a != 0; a <<= 1 {
		if a&(1<<31) != 0 {
			product ^= b
		}
		carry := b & 1
		if b >>= 1; carry != 0 {
			b ^= crc32.IEEE
		}
	}
	return product
}
