package extract

import (
	"strings"

	"github.com/klippa-app/go-pdfium/enums"
	"github.com/klippa-app/go-pdfium/references"
	"github.com/klippa-app/go-pdfium/requests"
	"github.com/klippa-app/go-pdfium/structs"
)

// openForm starts the form of the document, if it has one. Without it the rest
// of the file is read all the same.
func (d *pdfDocument) openForm() {
	kind, err := d.lib.FPDF_GetFormType(&requests.FPDF_GetFormType{Document: d.ref})
	if err != nil || kind.FormType == enums.FPDF_FORMTYPE_NONE {
		return
	}
	form, err := d.lib.FPDFDOC_InitFormFillEnvironment(&requests.FPDFDOC_InitFormFillEnvironment{
		Document: d.ref,
		FormFillInfo: structs.FPDF_FORMFILLINFO{ // nobody looks at the form: no answer does anything
			FFI_Invalidate:         func(references.FPDF_PAGE, float64, float64, float64, float64) {},
			FFI_SetCursor:          func(enums.FXCT) {},
			FFI_SetTimer:           func(int, func(int)) int { return 0 },
			FFI_KillTimer:          func(int) {},
			FFI_GetLocalTime:       func() structs.FPDF_SYSTEMTIME { return structs.FPDF_SYSTEMTIME{} },
			FFI_GetPage:            func(references.FPDF_DOCUMENT, int) *references.FPDF_PAGE { return nil },
			FFI_GetRotation:        func(references.FPDF_PAGE) enums.FPDF_PAGE_ROTATION { return 0 },
			FFI_ExecuteNamedAction: func(string) {},
		},
	})
	if err == nil {
		d.form = form.FormHandle
	}
}

func (d *pdfDocument) closeForm() {
	if d.form != "" {
		d.lib.FPDFDOC_ExitFormFillEnvironment(&requests.FPDFDOC_ExitFormFillEnvironment{FormHandle: d.form})
	}
}

// annotations reads what is laid over a page: the values of its form fields and
// texts typed onto it, and comments pinned to it. Hidden ones are left out.
func (d *pdfDocument) annotations(page requests.Page, p *pdfPage) error {
	const most = 5000 // of a page
	count, err := d.lib.FPDFPage_GetAnnotCount(&requests.FPDFPage_GetAnnotCount{Page: page})
	if err != nil {
		return err
	}
	for i := range min(count.Count, most) {
		got, err := d.lib.FPDFPage_GetAnnot(&requests.FPDFPage_GetAnnot{Page: page, Index: i})
		if err != nil {
			continue // one that is no object
		}
		d.annotation(got.Annotation, p)
		if _, err := d.lib.FPDFPage_CloseAnnot(&requests.FPDFPage_CloseAnnot{Annotation: got.Annotation}); err != nil {
			return err
		}
	}
	return nil
}

func (d *pdfDocument) annotation(a references.FPDF_ANNOTATION, p *pdfPage) {
	const hidden = enums.FPDF_ANNOT_FLAG_HIDDEN | enums.FPDF_ANNOT_FLAG_NOVIEW
	kind, err := d.lib.FPDFAnnot_GetSubtype(&requests.FPDFAnnot_GetSubtype{Annotation: a})
	if err != nil || kind.Subtype == enums.FPDF_ANNOT_SUBTYPE_LINK || kind.Subtype == enums.FPDF_ANNOT_SUBTYPE_POPUP {
		return
	}
	flags, err := d.lib.FPDFAnnot_GetFlags(&requests.FPDFAnnot_GetFlags{Annotation: a})
	if err != nil || flags.Flags&hidden != 0 {
		return
	}
	if kind.Subtype == enums.FPDF_ANNOT_SUBTYPE_WIDGET {
		if s := d.value(a); s != "" {
			p.values = append(p.values, s)
		}
		return
	}
	said, err := d.lib.FPDFAnnot_GetStringValue(&requests.FPDFAnnot_GetStringValue{Annotation: a, Key: "Contents"})
	switch {
	case err != nil || strings.TrimSpace(said.Value) == "":
	case kind.Subtype == enums.FPDF_ANNOT_SUBTYPE_FREETEXT:
		p.values = append(p.values, said.Value)
	default:
		p.notes = append(p.notes, said.Value)
	}
}

// value is what the field of a form says that stands at a, "" when it says
// nothing or was asked before: a field may stand at several places.
func (d *pdfDocument) value(a references.FPDF_ANNOTATION) string {
	const password = 1 << 13 // ISO 32000-1, table 228
	if d.form == "" {
		return ""
	}
	kind, err := d.lib.FPDFAnnot_GetFormFieldType(&requests.FPDFAnnot_GetFormFieldType{FormHandle: d.form, Annotation: a})
	if err != nil {
		return ""
	}
	choice := kind.FormFieldType == enums.FPDF_FORMFIELD_TYPE_COMBOBOX || kind.FormFieldType == enums.FPDF_FORMFIELD_TYPE_LISTBOX
	if !choice && kind.FormFieldType != enums.FPDF_FORMFIELD_TYPE_TEXTFIELD {
		return "" // of buttons and boxes the value is a name for programs
	}
	flags, err := d.lib.FPDFAnnot_GetFormFieldFlags(&requests.FPDFAnnot_GetFormFieldFlags{FormHandle: d.form, Annotation: a})
	if err != nil || !choice && flags.Flags&password != 0 {
		return ""
	}
	name, err := d.lib.FPDFAnnot_GetFormFieldName(&requests.FPDFAnnot_GetFormFieldName{FormHandle: d.form, Annotation: a})
	if err == nil && name.FormFieldName != "" {
		if d.fields[name.FormFieldName] {
			return ""
		}
		d.fields[name.FormFieldName] = true
	}
	if choice {
		if s := d.chosen(a); s != "" {
			return s
		}
	}
	got, err := d.lib.FPDFAnnot_GetFormFieldValue(&requests.FPDFAnnot_GetFormFieldValue{FormHandle: d.form, Annotation: a})
	if err != nil {
		return ""
	}
	return strings.TrimSpace(got.FormFieldValue)
}

// chosen is what people see of the options chosen in a list.
func (d *pdfDocument) chosen(a references.FPDF_ANNOTATION) string {
	const most = 1000 // options of a list
	count, err := d.lib.FPDFAnnot_GetOptionCount(&requests.FPDFAnnot_GetOptionCount{FormHandle: d.form, Annotation: a})
	if err != nil {
		return ""
	}
	var all []string
	for i := range min(count.OptionCount, most) {
		on, err := d.lib.FPDFAnnot_IsOptionSelected(&requests.FPDFAnnot_IsOptionSelected{FormHandle: d.form, Annotation: a, Index: i})
		if err != nil || !on.IsOptionSelected {
			continue
		}
		label, err := d.lib.FPDFAnnot_GetOptionLabel(&requests.FPDFAnnot_GetOptionLabel{FormHandle: d.form, Annotation: a, Index: i})
		if err == nil && label.OptionLabel != "" {
			all = append(all, label.OptionLabel)
		}
	}
	return strings.Join(all, ", ")
}
