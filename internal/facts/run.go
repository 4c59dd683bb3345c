package facts

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/contentgraph/contentgraph/internal/fault"
	"github.com/contentgraph/contentgraph/internal/store"
)

// run is one import.
type run struct {
	im      *Importer
	layout  *layout
	options Options
	name    string
	digest  string
	src     source
	meter   *meter // nil for rows made by code

	report   Report
	read     int // records
	rejects  rejects
	defaults map[int]string // by field: value where the file has no such column
	out      *writer
	names    names
}

// errCurrent says that another import of the same bytes became current first.
var errCurrent = errors.New("facts: the same file is current")

func (r *run) do(ctx context.Context) (Report, error) {
	ctx = store.System(ctx)
	r.report.FileID = r.im.NewID()
	err := r.prepare()
	if err == nil {
		err = r.unless(ctx)
	}
	if err == nil {
		r.out = newWriter(r.im, r.layout, r.report.FileID, r.name, r.digest)
		err = r.write(ctx)
		r.out.close()
	}
	if errors.Is(err, errCurrent) {
		if err = r.unless(ctx); err == nil {
			err = fault.New(fault.Conflict, "%s was imported and replaced by somebody else meanwhile; try again", r.name)
		}
	}
	if errors.Is(err, errUnchanged) {
		err = nil
	}
	if ctx.Err() != nil && err != nil { // drivers hide it behind errors of their own
		err = fmt.Errorf("%w: %w", ctx.Err(), err)
	}
	r.report.Ignored = r.src.columns().ignored
	slices.Sort(r.report.Ignored)
	return r.report, errors.Join(err, r.rejects.close())
}

// prepare checks the columns and settles what stands for missing ones.
func (r *run) prepare() error {
	given := r.src.columns()
	lacks := func(column string) bool { return !given.given[r.layout.index[column]] }
	r.defaults = map[int]string{}
	for _, d := range []struct {
		column string
		value  int
	}{{"account_id", r.options.AccountID}, {"web_property_id", r.options.WebPropertyID}} {
		if d.value != 0 && lacks(d.column) {
			r.defaults[r.layout.index[d.column]] = strconv.Itoa(d.value)
			// The same bytes are other facts in another account.
			sum := sha256.Sum256([]byte(r.digest + " " + d.column + "=" + strconv.Itoa(d.value)))
			r.digest = hex.EncodeToString(sum[:])
		}
	}
	if given.at == nil {
		return nil // every record has columns of its own
	}
	for _, column := range []string{"account_id", "time_period_start", "time_period_end"} {
		if lacks(column) && r.defaults[r.layout.index[column]] == "" {
			return fault.New(fault.Invalid, "%s: column %s is missing", r.name, column)
		}
	}
	return nil
}

// write reads all records, writes them and makes them current, or removes what
// it wrote.
func (r *run) write(ctx context.Context) error {
	err := r.records(ctx)
	if err == nil {
		err = r.verdict()
	}
	if err == nil {
		err = r.publish(ctx)
	}
	if err != nil {
		r.report.Rows, r.report.Replaced = 0, 0
		return errors.Join(err, r.out.abandon(ctx))
	}
	r.report.Accounts = slices.Sorted(maps.Keys(r.out.shares))
	return nil
}

func (r *run) records(ctx context.Context) error {
	for {
		if err := errors.Join(ctx.Err(), r.out.renew(ctx)); err != nil {
			return err
		}
		r.progress(false)
		rec, err := r.src.next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil && r.meter != nil {
			err = unreadable(r.name, err)
		}
		if err != nil {
			return err
		}
		r.read++
		if err := r.take(ctx, rec); err != nil {
			return err
		}
	}
	err := r.out.flush(ctx)
	r.progress(true)
	return err
}

func (r *run) progress(end bool) {
	if r.options.Progress == nil || !end && r.read%4096 != 0 {
		return
	}
	var done, total int64
	if r.meter != nil {
		done, total = min(r.meter.done.Load(), r.meter.info.Size()), r.meter.info.Size()
		if end {
			done = total
		}
	}
	r.options.Progress(done, total, r.report.Rows)
}

// take writes or rejects a record.
func (r *run) take(ctx context.Context, rec *record) error {
	if rec.bad != "" {
		return r.reject(rec.line, rec.bad)
	}
	for field, v := range r.defaults {
		if rec.values[field] == "" {
			rec.values[field] = v
		}
	}
	row := r.out.row()
	account, p, reason := r.layout.row(rec.values, row)
	if reason != "" {
		r.out.drop()
		return r.reject(rec.line, reason)
	}
	if r.options.Strict && r.report.Rejected > 0 { // nothing will be kept
		r.out.drop()
		return nil
	}
	r.report.Rows++
	r.names.note(r.layout.mention(account, p.property, rec.values))
	return r.out.add(ctx, row, rec.line, account, p)
}

func (r *run) reject(line int, reason string) error {
	r.report.Rejected++
	if len(r.report.Reasons) < 20 {
		r.report.Reasons = append(r.report.Reasons, Reject{line, reason})
	}
	return r.rejects.write(r.options.Rejects, r.src, reason)
}

// verdict decides on the file once all of it is read.
func (r *run) verdict() error {
	var first []string
	for _, reject := range r.report.Reasons[:min(3, len(r.report.Reasons))] {
		first = append(first, fmt.Sprintf("line %d: %s", reject.Line, reject.Reason))
	}
	reasons := strings.Join(first, "; ")
	switch {
	case r.read == 0:
		return fault.New(fault.Invalid, "%s has no rows", r.name)
	case r.report.Rejected == r.read:
		return fault.New(fault.Invalid, "%s: every line is rejected: %s", r.name, reasons)
	case r.options.Strict && r.report.Rejected > 0:
		return fault.New(fault.Invalid, "%s: nothing is imported, since %d of %d lines are rejected: %s",
			r.name, r.report.Rejected, r.read, reasons)
	case r.meter != nil && r.meter.changed():
		return fault.New(fault.Invalid, "%s was changed while it was read; nothing is imported", r.name)
	}
	return nil
}
