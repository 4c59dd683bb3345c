package text

import "testing"

func TestQuestion(t *testing.T) {
	t.Parallel()
	for lang, cases := range map[string]map[bool][]string{
		"en": {
			true: {"What is mulch?", "What is mulch", "how to sharpen a spade", "How Much Water Do Ferns Need", "3. Why do leaves curl", "Can I prune in May", "Which soil suits roses",
				"Is it safe to eat", "Do you need a permit", "Mulch or compost?", "“What's a cultivar?”", "Who should prune vines", "When to sow peas", "Are there dwarf figs", "Why isn't my fern green"},
			false: {"What we do", "How we work", "How it works", "Why choose us", "Who we are", "Will Turner", "May 2026", "Do it yourself", "Is", "What", "", "   ", "?", "Can openers", "When in Rome",
				"The question of soil", "Where we ship", "Have fun outside", "how"},
		},
		"de": {
			true:  {"Was ist Mulch", "Wie funktioniert ein Hochbeet", "Wie oft gießen", "Welche Erde passt zu Rosen", "Kann man im Mai schneiden", "Lohnt sich ein Gewächshaus", "Warum rollen sich Blätter"},
			false: {"Was wir tun", "Wie wir arbeiten", "Wer wir sind", "Ist gut", "Kann sein", "Warum wir", "Die Frage der Erde"},
		},
		"es": {
			true:  {"¿Qué es el mantillo?", "Qué es el mantillo", "Cómo podar rosales", "Por qué se rizan las hojas", "¿Cuándo sembrar", "Es posible plantar en mayo", "Que es el compost"},
			false: {"Lo que hacemos", "Como en casa", "El porqué de todo", "Que sea", "Guía de poda"},
		},
		"fr": {
			true:  {"Qu'est-ce que le paillage", "Qu’est-ce qu’un compost", "Comment tailler un rosier", "Pourquoi les feuilles jaunissent", "Quelle terre choisir", "Faut-il arroser", "Est-ce que ça marche", "Où planter", "Y a-t-il un risque"},
			false: {"Qui sommes-nous", "Pourquoi nous", "Le comment et le pourquoi", "Quand nous sommes ouverts", "Guide de taille"},
		},
		"it": {true: {"Come potare le rose", "Cos'è il compost"}, false: {"Chi siamo", "Guida alla potatura"}},
		"nl": {true: {"Hoe snoei je rozen", "Wat is mulch"}, false: {"Wie zijn wij nu niet", "Wat wij doen"}},
		"ru": {true: {"Как обрезать розы", "Что такое мульча"}, false: {"Кто мы", "Что сажать"}},
		"el": {true: {"Τι είναι το κομπόστ;"}, false: {"Οδηγός"}},
		"ja": {true: {"堆肥とは？"}, false: {"堆肥とは"}},
		"ar": {true: {"ما هو السماد؟", "كيف تقلم الورد"}, false: {"السماد"}},
		"":   {true: {"Anything?"}, false: {"what is it"}},
	} {
		for want, all := range cases {
			for _, s := range all {
				if got := Question(lang, s); got != want {
					t.Errorf("%s %q: %v", lang, s, got)
				}
			}
		}
	}
}
