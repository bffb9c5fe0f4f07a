// SPDX-License-Identifier: MIT OR Apache-2.0

package main

import (
	"os"
	"testing"

	"github.com/ebitengine/purego"
)

func TestSaxpyLeavesNothing(t *testing.T) {
	driver, err := purego.Dlopen(os.Getenv("CUCORE_DRIVER_LIBRARY"), purego.RTLD_NOW)
	if err != nil {
		t.Fatal(err)
	}
	var live func(kind *byte) uintptr
	purego.RegisterLibFunc(&live, driver, "cusim_live_count")
	context := []byte("context\x00")
	if err := run(); err != nil {
		t.Fatal(err)
	}
	if left := live(nil) - live(&context[0]); left != 0 { // a device's own context is kept
		t.Errorf("%d things are left", left)
	}
}
