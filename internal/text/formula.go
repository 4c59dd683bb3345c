package text

// formula is a reading ease: base - sentence*ASL - syllable*ASW, with the
// average words of a sentence and the average syllables of a word. It is on
// Flesch's scale: 0 very hard, 100 very easy.
type formula struct {
	name, source             string
	base, sentence, syllable float64
}

// The published formulas.
var (
	flesch = &formula{"Flesch reading ease",
		"R. Flesch: A new readability yardstick. Journal of Applied Psychology 32, 1948",
		206.835, 1.015, 84.6}
	amstad = &formula{"Flesch reading ease, Amstad",
		"T. Amstad: Wie verständlich sind unsere Zeitungen? Zürich, 1978",
		180, 1, 58.5}
	fernandezHuerta = &formula{"Fernández Huerta",
		"J. Fernández Huerta: Medidas sencillas de lecturabilidad. Consigna 214, 1959",
		206.84, 1.02, 60}
	kandelMoles = &formula{"Flesch reading ease, Kandel and Moles",
		"L. Kandel, A. Moles: Application de l'indice de Flesch à la langue française. Cahiers d'Études de Radio-Télévision 19, 1958",
		207, 1.015, 73.6}
	vacca = &formula{"Flesch reading ease, Franchina and Vacca",
		"V. Franchina, R. Vacca: Adaptation of Flesch readability index on a bilingual text. Linguaggi 3, 1986",
		217, 1.3, 60}
	douma = &formula{"Leesindex, Douma",
		"W. H. Douma: De leesbaarheid van landbouwbladen. Wageningen, 1960",
		206.84, 0.93, 77}
	oborneva = &formula{"Flesch reading ease, Oborneva",
		"И. В. Оборнева: Автоматизация оценки качества восприятия текста. Вестник МГПУ, 2005",
		206.835, 1.3, 60.1}
	martins = &formula{"Flesch reading ease, Martins",
		"T. B. F. Martins et al.: Readability formulas applied to textbooks in Brazilian Portuguese. ICMC-USP, 1996",
		248.835, 1.015, 84.6}
)
