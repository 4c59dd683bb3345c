package extract

import (
	"math"
	"strconv"
	"strings"
)

// measure counts what there is room for.
func (s *section) measure() {
	last := -1 // digit before the point
	place := &s.whole
	for i, it := range s.items {
		switch it.kind {
		case '0', '#', '?':
			*place++
			if place == &s.whole {
				last = i
			}
			if place == &s.exponent && it.kind == '0' {
				s.zeros++
			}
		case '.':
			place = &s.fraction
		case 'E':
			place = &s.exponent
		}
	}
	for i, it := range s.items {
		if it.kind == ',' {
			if i < last {
				s.thousands = true
			} else {
				s.shift -= 3
			}
		}
	}
}

// number is a number of 0 or more in the section, without sign.
func (s *section) number(v float64) string {
	d := decimalOf(v)
	d.point += s.shift
	if s.ratio > 0 {
		if d.point > len("1000000000000") { // such numbers have no fraction
			return general(v)
		}
		return s.asFraction(d.float())
	}
	exponent := 0
	if s.exponent > 0 {
		d, exponent = s.scientific(d)
	}
	whole, fraction := d.round(s.fraction)
	fraction = strings.TrimRight(fraction, "0")
	var b strings.Builder
	room, placed := s.whole, 0 // digits before the point to come, after it written
	afterPoint, afterE := false, false
	for _, it := range s.items {
		switch it.kind {
		case 't':
			b.WriteString(it.text)
		case 'G':
			b.WriteString(general(v))
		case '.':
			if !afterPoint && s.whole == 0 {
				b.WriteString(whole)
			}
			afterPoint = true
			b.WriteByte('.')
		case 'E':
			afterE = true
			b.WriteString(exponentOf(exponent, it.text, s.zeros))
		case '0', '#', '?':
			switch {
			case afterE: // written with the E
			case afterPoint:
				if placed < len(fraction) {
					b.WriteByte(fraction[placed])
				} else if it.kind == '0' {
					b.WriteByte('0')
				}
				placed++
			default:
				s.digits(&b, whole, room, it.kind)
				room--
			}
		}
	}
	return b.String()
}

// digits writes the digit of a place before the point, room places from it; the
// first place has all the digits for which there is no place.
func (s *section) digits(b *strings.Builder, whole string, room int, kind byte) {
	from := room
	if room == s.whole {
		from = max(len(whole), room)
	}
	for p := from; p >= room; p-- { // p counts from the point
		switch i := len(whole) - p; {
		case i >= 0:
			b.WriteByte(whole[i])
		case kind == '0':
			b.WriteByte('0')
		default:
			continue
		}
		if s.thousands && p > 1 && p%3 == 1 {
			b.WriteByte(',')
		}
	}
}

// scientific moves the point behind the first digits: as many as there is room
// for, by a power of ten that they divide.
func (s *section) scientific(d decimal) (decimal, int) {
	step := max(s.whole, 1)
	if d.digits == "" {
		return d, 0
	}
	for {
		exponent := d.point - 1
		exponent -= ((exponent % step) + step) % step
		moved := decimal{d.digits, d.point - exponent}
		if whole, _ := moved.round(s.fraction); len(whole) <= step {
			return moved, exponent
		}
		d = decimal{"1", d.point + 1} // 9.99 becomes 10.0
	}
}

func exponentOf(e int, sign string, zeros int) string {
	digits := strconv.Itoa(max(e, -e))
	digits = strings.Repeat("0", max(zeros-len(digits), 0)) + digits
	switch {
	case e < 0:
		sign = "-"
	case sign == "-":
		sign = ""
	}
	return "E" + sign + digits
}

// asFraction is a number as a whole one and a fraction, as "5 1/4".
func (s *section) asFraction(v float64) string {
	first, numerator := s.ratio, s.ratio // items of the first digit and of the upper half
	for numerator > 0 && isDigit(s.items[numerator-1].kind) {
		numerator--
	}
	for i := range s.ratio {
		if isDigit(s.items[i].kind) {
			first = i
			break
		}
	}
	after, places := s.ratio+1, 0
	for after < len(s.items) && isDigit(s.items[after].kind) {
		after++
		places++
	}
	whole, part := math.Modf(v)
	if first == numerator { // no room for whole ones
		whole, part = 0, v
	}
	upper, lower := 0.0, 1.0
	if fixed, err := strconv.ParseFloat(s.items[s.ratio].text, 64); err == nil && fixed > 0 {
		upper, lower = math.Round(part*fixed), fixed
	} else {
		upper, lower = nearest(part, math.Pow(10, float64(min(max(places, 1), 5)))-1)
	}
	if first != numerator && upper == lower {
		whole, upper = whole+1, 0
	}
	var b strings.Builder
	for _, it := range s.items[:first] {
		b.WriteString(it.text)
	}
	if upper == 0 || whole > 0 {
		b.WriteString(strconv.FormatFloat(whole, 'f', 0, 64))
	}
	if upper > 0 {
		b.WriteString(" " + strconv.FormatFloat(upper, 'f', 0, 64) + "/" + strconv.FormatFloat(lower, 'f', 0, 64))
	}
	for _, it := range s.items[after:] {
		b.WriteString(it.text)
	}
	return b.String()
}

func isDigit(kind byte) bool { return kind == '0' || kind == '#' || kind == '?' }

// nearest is the fraction next to v with a lower half of at most limit, by
// continued fractions.
func nearest(v, limit float64) (upper, lower float64) {
	a, b, c, d := 0.0, 1.0, 1.0, 0.0 // the last two are a/b and c/d
	for x := v; ; {
		n := math.Floor(x)
		p, q := a+n*c, b+n*d
		if q > limit {
			// between the last two: as many steps as the limit allows
			k := math.Floor((limit - b) / d)
			p, q = a+k*c, b+k*d
			if math.Abs(p/q-v) < math.Abs(c/d-v) {
				return p, q
			}
			return c, d
		}
		a, b, c, d = c, d, p, q
		if x-n < 1e-9 || math.Abs(c/d-v) < 1e-12 {
			return c, d
		}
		x = 1 / (x - n)
	}
}

// decimal is a number of 0 or more: its 15 digits, as many as Excel knows, and
// how many of them are before the point. Zero has none.
type decimal struct {
	digits string
	point  int
}

func decimalOf(v float64) decimal {
	mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(v, 'e', 14, 64), "e")
	digits := strings.TrimRight(mantissa[:1]+mantissa[2:], "0")
	if digits == "" {
		return decimal{}
	}
	e, _ := strconv.Atoi(exponent)
	return decimal{digits, e + 1}
}

func (d decimal) float() float64 {
	v, _ := strconv.ParseFloat("0."+d.digits+"e"+strconv.Itoa(d.point), 64)
	return v
}

// round is the number with so many digits after the point; of zero, no digits
// are before it.
func (d decimal) round(places int) (whole, fraction string) {
	digits, point := d.digits, d.point
	if n := point + places; n < 0 {
		digits = ""
	} else if n < len(digits) {
		up := digits[n] >= '5'
		digits = digits[:n]
		if up {
			digits, point = increment(digits, point)
		}
	}
	if digits == "" {
		return "", strings.Repeat("0", places)
	}
	if point <= 0 {
		digits, point = strings.Repeat("0", -point)+digits, 0
	}
	digits += strings.Repeat("0", max(point+places-len(digits), 0))
	return digits[:point], digits[point:]
}

// increment adds one to the last digit.
func increment(digits string, point int) (string, int) {
	b := []byte(digits)
	for i := len(b) - 1; i >= 0; i-- {
		if b[i]++; b[i] <= '9' {
			return string(b), point
		}
		b[i] = '0'
	}
	return "1" + string(b), point + 1
}
