// SPDX-License-Identifier: MIT OR Apache-2.0

// Package cucore is libcucore from Go, without cgo: a sample to copy from and add to, not the whole library.
//
// Each handle has two ends: Close returns what fails in destroying the resource, Release leaves that to Warnings. A method may be
// called from any goroutine, whatever thread that is on.
package cucore

import (
	"fmt"
	"math"
	"strings"
	"sync/atomic"
	"unsafe"

	"github.com/ebitengine/purego"
)

// Codes, kinds of note, and the one kind of object code used here.
const (
	OutOfMemory = 7
	DeviceLost  = 8
	Compile     = 9
	Driver      = 13

	NoteCause       = 1
	NoteConsequence = 2
	NoteAdvice      = 3

	ptx = 1
)

// The functions of the library. Handles are uintptr: they are C's memory, which Go's collector must not look at.
var lib struct {
	statusRelease    func(status uintptr)
	statusCode       func(status uintptr) int32
	statusNativeCode func(status uintptr) int64
	statusOperation  func(status, size uintptr) string
	statusMessage    func(status, size uintptr) string
	statusLog        func(status, size uintptr) string
	statusNoteCount  func(status uintptr) uintptr
	statusNote       func(status, index uintptr) uintptr
	statusNoteKind   func(status, index uintptr) int32
	statusCodeName   func(code int32) string

	warningQueueCreate  func(capacity uintptr, status *uintptr) uintptr
	warningQueuePoll    func(queue uintptr) uintptr
	warningQueueLost    func(queue uintptr) uint64
	warningQueueRelease func(queue uintptr)

	deviceOpen     func(ordinal int32, status *uintptr) uintptr
	deviceName     func(device, size uintptr) string
	deviceArch     func(device, size uintptr) string
	streamCreate   func(device, options uintptr, status *uintptr) uintptr
	streamSync     func(stream uintptr, status *uintptr) int32
	eventCreate    func(device, options uintptr, status *uintptr) uintptr
	eventRecord    func(event, stream uintptr, status *uintptr) int32
	eventSync      func(event uintptr, status *uintptr) int32
	devicePool     func(device uintptr, status *uintptr) uintptr
	allocate       func(resource, size, stream uintptr, status *uintptr) uintptr
	copyFromHost   func(buffer, offset uintptr, source *byte, size, stream uintptr, status *uintptr) int32
	copyToHost     func(buffer, offset uintptr, destination *byte, size, stream uintptr, status *uintptr) int32
	programCreate  func(device uintptr, source string, size, options uintptr, status *uintptr) uintptr
	programCompile func(program uintptr, kind int32, status *uintptr) uintptr
	libraryLoad    func(device, code uintptr, status *uintptr) uintptr
	libraryKernel  func(library uintptr, name string, size uintptr, status *uintptr) uintptr
	kernelLaunch   func(kernel, stream uintptr, options *launchOptions, arguments *argument, count uintptr, status *uintptr) int32
	releaseByNoun  map[string]func(handle uintptr)
	closeByNoun    map[string]func(handle, destroyed uintptr, status *uintptr) int32
}

var functions = map[string]any{
	"status_release":              &lib.statusRelease,
	"status_code":                 &lib.statusCode,
	"status_native_code":          &lib.statusNativeCode,
	"status_operation":            &lib.statusOperation,
	"status_message":              &lib.statusMessage,
	"status_log":                  &lib.statusLog,
	"status_note_count":           &lib.statusNoteCount,
	"status_note":                 &lib.statusNote,
	"status_note_kind":            &lib.statusNoteKind,
	"status_code_name":            &lib.statusCodeName,
	"warning_queue_create":        &lib.warningQueueCreate,
	"warning_queue_poll":          &lib.warningQueuePoll,
	"warning_queue_lost":          &lib.warningQueueLost,
	"warning_queue_release":       &lib.warningQueueRelease,
	"device_open":                 &lib.deviceOpen,
	"device_name":                 &lib.deviceName,
	"device_arch":                 &lib.deviceArch,
	"stream_create":               &lib.streamCreate,
	"stream_synchronize":          &lib.streamSync,
	"event_create":                &lib.eventCreate,
	"event_record":                &lib.eventRecord,
	"event_synchronize":           &lib.eventSync,
	"memory_resource_device_pool": &lib.devicePool,
	"memory_resource_allocate":    &lib.allocate,
	"buffer_copy_from_host":       &lib.copyFromHost,
	"buffer_copy_to_host":         &lib.copyToHost,
	"program_create":              &lib.programCreate,
	"program_compile":             &lib.programCompile,
	"library_load":                &lib.libraryLoad,
	"library_kernel":              &lib.libraryKernel,
	"kernel_launch":               &lib.kernelLaunch,
}

var nouns = []string{"device", "stream", "event", "memory_resource", "buffer", "program", "object_code", "library", "kernel"}

// Load opens the library, before all else: "libcucore.so.1", or its path. The number is the promise that this package rests on.
func Load(path string) error {
	library, err := purego.Dlopen(path, purego.RTLD_NOW|purego.RTLD_LOCAL)
	if err != nil {
		return err
	}
	for name, function := range functions {
		purego.RegisterLibFunc(function, library, "cucore_"+name)
	}
	lib.releaseByNoun = map[string]func(uintptr){}
	lib.closeByNoun = map[string]func(uintptr, uintptr, *uintptr) int32{}
	for _, noun := range nouns {
		var release func(uintptr)
		var close func(uintptr, uintptr, *uintptr) int32
		purego.RegisterLibFunc(&release, library, "cucore_"+noun+"_release")
		purego.RegisterLibFunc(&close, library, "cucore_"+noun+"_close")
		lib.releaseByNoun[noun], lib.closeByNoun[noun] = release, close
	}
	return nil
}

// Note says why something failed, what else did, or what to do.
type Note struct {
	Kind    int32
	Message string
}

// Error is a failure. Code is what to decide by; Log is a compiler's or linker's.
type Error struct {
	Code       int32
	CodeName   string
	Operation  string
	NativeCode int64
	Message    string
	Log        string
	Notes      []Note
}

func (e *Error) Error() string {
	lines := []string{e.CodeName + ": " + e.Message}
	for _, note := range e.Notes {
		lines = append(lines, "  "+note.Message)
	}
	return strings.TrimRight(strings.Join(append(lines, e.Log), "\n"), "\n")
}

// take gives the Error of a status, whose reference it gives up.
func take(status uintptr) *Error {
	defer lib.statusRelease(status)
	code := lib.statusCode(status)
	e := &Error{
		Code:       code,
		CodeName:   lib.statusCodeName(code),
		Operation:  lib.statusOperation(status, 0),
		NativeCode: lib.statusNativeCode(status),
		Message:    lib.statusMessage(status, 0),
		Log:        lib.statusLog(status, 0),
	}
	for i := uintptr(0); i < lib.statusNoteCount(status); i++ {
		e.Notes = append(e.Notes, Note{lib.statusNoteKind(status, i), lib.statusMessage(lib.statusNote(status, i), 0)})
	}
	return e
}

// do makes a call that returns a code.
func do(call func(status *uintptr) int32) error {
	var status uintptr
	if call(&status) != 0 {
		return take(status)
	}
	return nil
}

// handle is one reference. Closing or releasing it again does nothing.
type handle struct {
	noun string
	raw  atomic.Uintptr
}

// create makes a call that returns a handle.
func create(noun string, call func(status *uintptr) uintptr) (*handle, error) {
	var status uintptr
	raw := call(&status)
	if raw == 0 {
		return nil, take(status)
	}
	h := &handle{noun: noun}
	h.raw.Store(raw)
	return h, nil
}

// c gives what the library is given; NULL, which it refuses by name, once the reference is gone.
func (h *handle) c() uintptr {
	if h == nil {
		return 0
	}
	return h.raw.Load()
}

// Close gives the reference up, and returns what failed in destroying the resource.
func (h *handle) Close() error {
	raw := h.raw.Swap(0)
	if raw == 0 {
		return nil
	}
	return do(func(status *uintptr) int32 { return lib.closeByNoun[h.noun](raw, 0, status) })
}

// Release gives the reference up; what fails is a warning.
func (h *handle) Release() {
	lib.releaseByNoun[h.noun](h.raw.Swap(0))
}

// Warnings are the failures that no call can return, in a queue: a sink would be called in the midst of any thread's work, and a
// panic in it would end the process.
type Warnings struct{ queue uintptr }

func NewWarnings(capacity int) (Warnings, error) {
	var status uintptr
	queue := lib.warningQueueCreate(uintptr(capacity), &status)
	if queue == 0 {
		return Warnings{}, take(status)
	}
	return Warnings{queue}, nil
}

// Poll gives the oldest, nil if there is none.
func (w Warnings) Poll() *Error {
	status := lib.warningQueuePoll(w.queue)
	if status == 0 {
		return nil
	}
	return take(status)
}

// Lost gives how many found the queue full.
func (w Warnings) Lost() uint64 { return lib.warningQueueLost(w.queue) }

// Release ends it; no other method may be called then.
func (w Warnings) Release() { lib.warningQueueRelease(w.queue) }

type (
	Device         struct{ *handle }
	Stream         struct{ *handle }
	Event          struct{ *handle }
	memoryResource struct{ *handle }
	Buffer         struct{ *handle }
	program        struct{ *handle }
	ObjectCode     struct{ *handle }
	Library        struct{ *handle }
	Kernel         struct{ *handle }
)

func OpenDevice(ordinal int) (Device, error) {
	h, err := create("device", func(status *uintptr) uintptr { return lib.deviceOpen(int32(ordinal), status) })
	return Device{h}, err
}

func (d Device) Name() string { return lib.deviceName(d.c(), 0) }
func (d Device) Arch() string { return lib.deviceArch(d.c(), 0) }

func (d Device) Stream() (Stream, error) {
	h, err := create("stream", func(status *uintptr) uintptr { return lib.streamCreate(d.c(), 0, status) })
	return Stream{h}, err
}

func (d Device) Event() (Event, error) {
	h, err := create("event", func(status *uintptr) uintptr { return lib.eventCreate(d.c(), 0, status) })
	return Event{h}, err
}

func (d Device) pool() (memoryResource, error) {
	h, err := create("memory_resource", func(status *uintptr) uintptr { return lib.devicePool(d.c(), status) })
	return memoryResource{h}, err
}

// Allocate gives a buffer of the device's default pool, in the order of the stream.
func (d Device) Allocate(size int, s Stream) (Buffer, error) {
	pool, err := d.pool()
	if err != nil {
		return Buffer{}, err
	}
	defer pool.Release()
	h, err := create("buffer", func(status *uintptr) uintptr { return lib.allocate(pool.c(), uintptr(size), s.c(), status) })
	return Buffer{h}, err
}

func (d Device) program(source string) (program, error) {
	size := uintptr(len(source))
	h, err := create("program", func(status *uintptr) uintptr { return lib.programCreate(d.c(), source, size, 0, status) })
	return program{h}, err
}

// Compile makes PTX of CUDA C++, with NVRTC.
func (d Device) Compile(source string) (ObjectCode, error) {
	program, err := d.program(source)
	if err != nil {
		return ObjectCode{}, err
	}
	defer program.Release()
	h, err := create("object_code", func(status *uintptr) uintptr { return lib.programCompile(program.c(), ptx, status) })
	return ObjectCode{h}, err
}

func (d Device) Load(code ObjectCode) (Library, error) {
	h, err := create("library", func(status *uintptr) uintptr { return lib.libraryLoad(d.c(), code.c(), status) })
	return Library{h}, err
}

// Kernel finds a kernel, which keeps its library.
func (l Library) Kernel(name string) (Kernel, error) {
	h, err := create("kernel", func(status *uintptr) uintptr { return lib.libraryKernel(l.c(), name, uintptr(len(name)), status) })
	return Kernel{h}, err
}

// Synchronize waits; other goroutines run meanwhile, on other threads.
func (s Stream) Synchronize() error {
	return do(func(status *uintptr) int32 { return lib.streamSync(s.c(), status) })
}

func (e Event) Record(s Stream) error {
	return do(func(status *uintptr) int32 { return lib.eventRecord(e.c(), s.c(), status) })
}

func (e Event) Synchronize() error {
	return do(func(status *uintptr) int32 { return lib.eventSync(e.c(), status) })
}

// bytes gives the memory of a slice: where it begins and how long it is.
func bytes[T any](values []T) (*byte, uintptr) {
	if len(values) == 0 {
		return nil, 0
	}
	return (*byte)(unsafe.Pointer(&values[0])), uintptr(len(values)) * unsafe.Sizeof(values[0])
}

func CopyFrom[T any](b Buffer, source []T, s Stream) error {
	data, size := bytes(source)
	return do(func(status *uintptr) int32 { return lib.copyFromHost(b.c(), 0, data, size, s.c(), status) })
}

func CopyTo[T any](destination []T, b Buffer, s Stream) error {
	data, size := bytes(destination)
	return do(func(status *uintptr) int32 { return lib.copyToHost(b.c(), 0, data, size, s.c(), status) })
}

type launchOptions struct {
	structSize            uintptr
	grid, block           [3]uint32
	sharedBytes, reserved uint32
}

type argument struct {
	kind, size    uint32
	value         uint64
	bytes, object uintptr
	reserved      [2]uint64
}

const argumentValue, argumentObject = 1, 3

// newArgument holds values, not their addresses: Go may move what a pointer in C's memory names.
func newArgument(value any) (argument, error) {
	switch v := value.(type) {
	case Buffer:
		return argument{kind: argumentObject, object: v.c()}, nil
	case float32:
		return argument{kind: argumentValue, size: 4, value: uint64(math.Float32bits(v))}, nil
	case int32:
		return argument{kind: argumentValue, size: 4, value: uint64(uint32(v))}, nil
	}
	return argument{}, fmt.Errorf("a kernel's argument cannot be %T", value)
}

// Launch puts the kernel on the stream. Arguments are buffers, float32 and int32.
func (k Kernel) Launch(s Stream, grid, block uint32, values ...any) error {
	options := launchOptions{grid: [3]uint32{grid, 1, 1}, block: [3]uint32{block, 1, 1}}
	options.structSize = unsafe.Sizeof(options)
	arguments := make([]argument, len(values)+1) // one to take the address of
	for i, value := range values {
		var err error
		if arguments[i], err = newArgument(value); err != nil {
			return err
		}
	}
	return do(func(status *uintptr) int32 {
		return lib.kernelLaunch(k.c(), s.c(), &options, &arguments[0], uintptr(len(values)), status)
	})
}
