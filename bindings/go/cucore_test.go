// SPDX-License-Identifier: MIT OR Apache-2.0

package cucore

import (
	"errors"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/ebitengine/purego"
)

// These tests need the simulated driver, which can be told to fail, and NVRTC:
//
//	CUCORE_LIBRARY=... CUCORE_DRIVER_LIBRARY=.../sim/libcuda.so.1 CUCORE_WHEELS=... go test -v .

const launchFailed = 719

var fail func(function string, nth uint64, result, sticky int32)

func TestMain(m *testing.M) {
	if err := Load(os.Getenv("CUCORE_LIBRARY")); err != nil {
		panic(err)
	}
	driver, err := purego.Dlopen(os.Getenv("CUCORE_DRIVER_LIBRARY"), purego.RTLD_NOW)
	if err != nil {
		panic(err)
	}
	purego.RegisterLibFunc(&fail, driver, "cusim_fail")
	os.Exit(m.Run())
}

func must[T any](t *testing.T, value T, err error) T {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	return value
}

func setUp(t *testing.T) (Device, Warnings) {
	queue, err := NewWarnings(16)
	warnings := must(t, queue, err)
	opened, err := OpenDevice(0)
	device := must(t, opened, err)
	t.Cleanup(func() {
		must(t, 0, device.Close())
		if warning := warnings.Poll(); warning != nil {
			t.Errorf("a warning too many: %v", warning)
		}
		warnings.Release()
	})
	return device, warnings
}

func newStream(t *testing.T, device Device) Stream {
	stream, err := device.Stream()
	return must(t, stream, err)
}

func checkFailure(t *testing.T, e *Error, call string) {
	t.Helper()
	if e == nil {
		t.Fatal("no failure")
	}
	pattern := call + `\(0x[0-9a-f]+\) failed: CUDA_ERROR_LAUNCH_FAILED`
	if e.Operation != call || e.NativeCode != launchFailed || !regexp.MustCompile(pattern).MatchString(e.Message) {
		t.Errorf("not the failure of %s: %v", call, e)
	}
}

func TestCompileErrorHasLogAndNotes(t *testing.T) {
	device, _ := setUp(t)
	_, err := device.Compile("this is no CUDA C++")
	var e *Error
	if !errors.As(err, &e) || e.Code != Compile || e.CodeName != "COMPILE" {
		t.Fatalf("no compile error: %v", err)
	}
	if !strings.Contains(e.Log, "program.cu(1): error") {
		t.Errorf("the log: %q", e.Log)
	}
	option := Note{NoteCause, "option --gpu-architecture=" + device.Arch()}
	for _, note := range e.Notes {
		if note == option {
			return
		}
	}
	t.Errorf("no %v in %v", option, e.Notes)
}

func TestFailingReleaseIsAWarning(t *testing.T) {
	device, warnings := setUp(t)
	made, err := device.Event()
	event := must(t, made, err)
	fail("cuEventDestroy", 1, launchFailed, 0)
	event.Release()
	checkFailure(t, warnings.Poll(), "cuEventDestroy")
}

// Each goroutine may be on a thread of its own, and none has the device's context current.
func TestReleaseOnManyGoroutines(t *testing.T) {
	device, warnings := setUp(t)
	var group sync.WaitGroup
	fail("cuStreamDestroy", 16, launchFailed, 0)
	for i := 0; i < 16; i++ {
		group.Add(1)
		stream := newStream(t, device)
		go func() {
			defer group.Done()
			stream.Release()
		}()
	}
	group.Wait()
	checkFailure(t, warnings.Poll(), "cuStreamDestroy")
}

func TestFailingCloseReturnsIt(t *testing.T) {
	device, _ := setUp(t)
	stream := newStream(t, device)
	fail("cuStreamDestroy", 1, launchFailed, 0)
	var e *Error
	if !errors.As(stream.Close(), &e) {
		t.Fatal("close did not fail")
	}
	checkFailure(t, e, "cuStreamDestroy")
	if err := stream.Close(); err != nil { // the reference is gone all the same
		t.Error(err)
	}
	if err := stream.Synchronize(); !errors.As(err, &e) || e.CodeName != "INVALID_ARGUMENT" {
		t.Errorf("a closed stream: %v", err)
	}
}
