package demo

import "fmt"

// knowledgeInputs are what a company's writers may rely on.
func (c company) knowledgeInputs() []map[string]any {
	text := func(name, format string, args ...any) map[string]any {
		return map[string]any{"kind": "TEXT", "fileName": name, "text": fmt.Sprintf(format, args...)}
	}
	return []map[string]any{
		text("About "+c.name, `About us

%[1]s was founded in 2009 by three friends who could not find %[2]s that lasted. Today 42 people work in one building: the
workshop is on the ground floor, the shop above it, and everything we sell is used by somebody on the team.

What we promise

Every product of the brand %[3]s has a guarantee of five years. Repairs are done in our own workshop, in eight days on average,
and spare parts are kept for ten years after a product has left the range. We answer letters within two working days.

Delivery and returns

Orders placed before noon leave the same day. Delivery is free from 60 euros and takes two to three days. Whatever was not
used can be sent back within 100 days; what was used and disappoints is exchanged once, without questions.`, c.name, c.topics[0], c.brands[0]),

		text("How we test", `# How we test

Before anything is listed, two members of the team use it for four weeks and keep a diary. For %[1]s and %[2]s we measure as
well: weight on a scale that is checked every January, and times with three repetitions, of which the middle one counts.

## What makes us say no

A product is not listed when a part that wears cannot be replaced, when the instructions are not in the language of the buyer,
or when it did not survive the fall from a table of 75 centimetres. About one in four fails.

## %[3]s

For %[4]s we also ask ten customers who have never owned one. They get no help. If more than two of them give up, we write a
guide before we list it, and we tell the maker what they stumbled over.`, c.topics[1], c.topics[2], title(c.topics[3]), c.topics[3]),
	}
}
