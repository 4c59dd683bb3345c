package extract

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/klippa-app/go-pdfium"
	"github.com/klippa-app/go-pdfium/webassembly"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/experimental"
)

// pdfMemory is what PDFium may take for a file, in WebAssembly pages of 64 KiB.
const pdfMemory = 4096 // 256 MiB

// engine is PDFium in this process; a child opens it while it may open files.
var engine pdfEngine

// pdfEngine makes instances of PDFium, which is WebAssembly: it has a memory of
// its own, no files and no network, and its crash is an error here.
type pdfEngine struct {
	mu   sync.Mutex
	pool pdfium.Pool
	file pdfContext

	memory pdfSpaces
}

// open compiles PDFium (3 s), or takes it from the cache (0.1 s), a folder that
// only this service can write; "" is none. The second time it does nothing.
func (e *pdfEngine) open(cache string) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.pool != nil {
		return nil
	}
	if cache != "" {
		cache = filepath.Join(cache, "pdfium")
	}
	err := e.load(cache)
	if err != nil && cache != "" && os.RemoveAll(cache) == nil { // damaged: fill it again
		err = e.load(cache)
	}
	return err
}

func (e *pdfEngine) load(cache string) error {
	config := wazero.NewRuntimeConfig().WithMemoryLimitPages(pdfMemory).WithCloseOnContextDone(true)
	if cache != "" {
		c, err := wazero.NewCompilationCacheWithDir(cache)
		if err != nil {
			return fmt.Errorf("extract: cache of PDFium: %w", err)
		}
		config = config.WithCompilationCache(c)
	}
	e.file.set(context.Background())
	pool, err := webassembly.Init(webassembly.Config{
		Context:       &e.file,
		RuntimeConfig: config,
		FSConfig:      wazero.NewFSConfig(), // no files
		Stdout:        io.Discard,
		Stderr:        io.Discard,
		MaxTotal:      -1, // an instance is made for a file and thrown away after it
	})
	if err != nil {
		return fmt.Errorf("extract: PDFium: %w", err)
	}
	e.pool = pool
	return nil
}

// instance makes an instance (2 ms). Its calls end with an error when ctx does.
func (e *pdfEngine) instance(ctx context.Context) (pdfium.Pdfium, error) {
	if err := e.open(""); err != nil {
		return nil, err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.file.set(experimental.WithMemoryAllocator(ctx, experimental.MemoryAllocatorFunc(e.memory.allocate)))
	defer e.file.set(context.Background())
	return e.pool.GetInstanceWithContext(ctx)
}

// pdfContext is the context that instances derive theirs from when they are
// made: it is that of the file they are made for, so that they end with it.
// (The method Kill of an instance races with its calls.)
type pdfContext struct {
	of atomic.Pointer[context.Context]
}

func (c *pdfContext) set(ctx context.Context)     { c.of.Store(&ctx) }
func (c *pdfContext) Deadline() (time.Time, bool) { return (*c.of.Load()).Deadline() }
func (c *pdfContext) Done() <-chan struct{}       { return (*c.of.Load()).Done() }
func (c *pdfContext) Err() error                  { return (*c.of.Load()).Err() }
func (c *pdfContext) Value(key any) any           { return (*c.of.Load()).Value(key) }

// pdfSpaces gives instances their memories, in address spaces of full size whose
// pages count when they are used. (A slice that grows is copied as a whole, which
// takes twice and more.) A space that is free serves the next instance.
type pdfSpaces struct {
	mu   sync.Mutex
	free [][]byte
}

func (s *pdfSpaces) allocate(_, size uint64) experimental.LinearMemory {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, b := range s.free {
		if uint64(len(b)) == size {
			s.free = slices.Delete(s.free, i, i+1)
			return &pdfSpace{s, b}
		}
	}
	return &pdfSpace{s, mapSpace(int(size))}
}

// pdfSpace is the memory of an instance.
type pdfSpace struct {
	from  *pdfSpaces
	bytes []byte
}

func (m *pdfSpace) Reallocate(size uint64) []byte {
	if size > uint64(len(m.bytes)) {
		return nil
	}
	return m.bytes[:size]
}

// Free gives the memory back, but not the addresses: who still reads there
// finds zeros.
func (m *pdfSpace) Free() {
	if m.bytes == nil {
		return
	}
	m.from.mu.Lock()
	defer m.from.mu.Unlock()
	m.from.free = append(m.from.free, clearSpace(m.bytes))
	m.bytes = nil
}
