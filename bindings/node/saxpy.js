// SPDX-License-Identifier: MIT OR Apache-2.0
// Compiles a kernel, runs it, checks what it computed, and fails if anything could not be destroyed.
//
//     CUCORE_LIBRARY=path/to/libcucore.so.1 node saxpy.js

import {fileURLToPath} from 'node:url';

import {Device, Warnings} from './cucore.js';

const COUNT = 1 << 16;
const BLOCK = 256;
const SOURCE = `
extern "C" __global__ void saxpy(float a, const float *x, float *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}
`;

/** Runs `body` with a function that takes over what it makes, all of which is given up at the end, the last first. */
async function withHandles(body) {
    const made = [];
    const own = (handle) => (made.push(handle), handle);
    try {
        return await body(own);
    } finally {
        for (const handle of made.reverse())
            handle.release(); // not close: what fails is a warning, and what the body threw is kept
    }
}

async function compileKernel(device) {
    return withHandles(async (own) => {
        const code = own(await device.compile(SOURCE));
        return own(device.load(code)).kernel('saxpy'); // which keeps its library
    });
}

/** a * x + y, computed by the device. */
export async function saxpy(device, a, x, y) {
    return withHandles(async (own) => {
        const stream = own(device.stream());
        const kernel = own(await compileKernel(device));
        const deviceX = own(device.allocate(x.byteLength, stream));
        const deviceY = own(device.allocate(y.byteLength, stream));
        const done = own(device.event());
        deviceX.copyFrom(x, stream);
        deviceY.copyFrom(y, stream);
        kernel.launch(stream, x.length / BLOCK, BLOCK, Float32Array.of(a), deviceX, deviceY, Int32Array.of(x.length));
        done.record(stream);
        await done.synchronize();
        const result = new Float32Array(y.length);
        deviceY.copyTo(result, stream);
        return result;
    });
}

async function compute() {
    const x = Float32Array.from({length: COUNT}, (_, i) => i % 1000);
    const y = Float32Array.from({length: COUNT}, (_, i) => i % 77);
    const device = new Device(0);
    const result = await saxpy(device, 2.5, x, y);
    console.log(`${device.name}, ${device.arch}: ${COUNT} elements`);
    device.close();
    const wrong = result.findIndex((value, i) => value !== 2.5 * x[i] + y[i]);
    if (wrong >= 0)
        throw new Error(`element ${wrong} is ${result[wrong]}`);
}

async function main() {
    const warnings = new Warnings();
    await compute();
    for (const warning of warnings)
        throw warning;
    warnings.release();
}

if (process.argv[1] === fileURLToPath(import.meta.url))
    await main();
