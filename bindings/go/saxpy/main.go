// SPDX-License-Identifier: MIT OR Apache-2.0

// Saxpy compiles a kernel, runs it, checks what it computed, and fails if anything could not be destroyed.
//
//	CUCORE_LIBRARY=path/to/libcucore.so.1 go run ./saxpy
package main

import (
	"fmt"
	"os"

	"cucore"
)

const (
	count  = 1 << 16
	block  = 256
	source = `
extern "C" __global__ void saxpy(float a, const float *x, float *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}
`
)

func compile(device cucore.Device) (cucore.Kernel, error) {
	code, err := device.Compile(source)
	if err != nil {
		return cucore.Kernel{}, err
	}
	defer code.Release()
	library, err := device.Load(code)
	if err != nil {
		return cucore.Kernel{}, err
	}
	defer library.Release()
	return library.Kernel("saxpy")
}

func upload(device cucore.Device, values []float32, stream cucore.Stream) (cucore.Buffer, error) {
	buffer, err := device.Allocate(4*len(values), stream)
	if err != nil {
		return cucore.Buffer{}, err
	}
	if err := cucore.CopyFrom(buffer, values, stream); err != nil {
		buffer.Release()
		return cucore.Buffer{}, err
	}
	return buffer, nil
}

// launch runs the kernel and waits for it.
func launch(device cucore.Device, stream cucore.Stream, a float32, x, y cucore.Buffer) error {
	kernel, err := compile(device)
	if err != nil {
		return err
	}
	defer kernel.Release()
	done, err := device.Event()
	if err != nil {
		return err
	}
	defer done.Release() // not closed: if it cannot be destroyed, that is a warning
	if err := kernel.Launch(stream, count/block, block, a, x, y, int32(count)); err != nil {
		return err
	}
	if err := done.Record(stream); err != nil {
		return err
	}
	return done.Synchronize()
}

// saxpy puts a * x + y, computed by the device, into y.
func saxpy(device cucore.Device, a float32, x, y []float32) (err error) {
	stream, err := device.Stream()
	if err != nil {
		return err
	}
	defer func() {
		if failed := stream.Close(); err == nil {
			err = failed
		}
	}()
	deviceX, err := upload(device, x, stream)
	if err != nil {
		return err
	}
	defer deviceX.Release()
	deviceY, err := upload(device, y, stream)
	if err != nil {
		return err
	}
	defer deviceY.Release()
	if err := launch(device, stream, a, deviceX, deviceY); err != nil {
		return err
	}
	return cucore.CopyTo(y, deviceY, stream)
}

func compute() error {
	device, err := cucore.OpenDevice(0)
	if err != nil {
		return err
	}
	defer device.Release()
	x, y := make([]float32, count), make([]float32, count)
	for i := range x {
		x[i], y[i] = float32(i%1000), float32(i%77)
	}
	if err := saxpy(device, 2.5, x, y); err != nil {
		return err
	}
	for i := range y {
		if y[i] != 2.5*x[i]+float32(i%77) {
			return fmt.Errorf("element %d is %v", i, y[i])
		}
	}
	fmt.Printf("%s, %s: %d elements\n", device.Name(), device.Arch(), count)
	return nil
}

func run() error {
	path := os.Getenv("CUCORE_LIBRARY")
	if path == "" {
		path = "libcucore.so.1"
	}
	if err := cucore.Load(path); err != nil {
		return err
	}
	warnings, err := cucore.NewWarnings(256)
	if err != nil {
		return err
	}
	defer warnings.Release()
	if err := compute(); err != nil {
		return err
	}
	if warning := warnings.Poll(); warning != nil {
		return fmt.Errorf("warning: %w", warning)
	}
	return nil
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
