// SPDX-License-Identifier: MIT OR Apache-2.0
// What cucore.js makes of failures. Needs the simulated driver, which can be told to fail, and NVRTC.
//
//     CUCORE_LIBRARY=... CUCORE_DRIVER_LIBRARY=.../sim/libcuda.so.1 CUCORE_WHEELS=... npm test

import assert from 'node:assert/strict';
import {afterEach, beforeEach, test} from 'node:test';

import koffi from 'koffi';

import {COMPILE, CucoreError, Device, NOTE_CAUSE, NOTE_CONSEQUENCE, Warnings} from './cucore.js';
import {saxpy} from './saxpy.js';

const LAUNCH_FAILED = 719;
const driver = koffi.load(process.env.CUCORE_DRIVER_LIBRARY);
const cusimFail = driver.func('void cusim_fail(const char *, uint64_t, int, int)');
const cusimLiveCount = driver.func('size_t cusim_live_count(const char *)');

let warnings;
let device;

beforeEach(() => {
    warnings = new Warnings();
    device = new Device(0);
});

afterEach(() => {
    device.close();
    assert.deepEqual([...warnings].map((warning) => warning.message), []);
    warnings.release();
});

/** The next call of this driver function fails. */
function fail(name) {
    cusimFail(name, 1, LAUNCH_FAILED, 0);
}

/** What is alive in the driver, but for contexts: a device's own is kept. */
function countLive() {
    return cusimLiveCount(null) - cusimLiveCount('context');
}

function checkFailure(error, name) {
    assert.ok(error instanceof CucoreError);
    assert.equal(error.operation, name);
    assert.equal(error.nativeCode, LAUNCH_FAILED);
    assert.match(error.message, new RegExp(`${name}\\(0x[0-9a-f]+\\) failed: CUDA_ERROR_LAUNCH_FAILED`));
    return true;
}

test('saxpy', async () => {
    const live = countLive();
    const result = await saxpy(device, 2, new Float32Array(512).fill(3), new Float32Array(512).fill(1));
    assert.deepEqual(result, new Float32Array(512).fill(7));
    assert.equal(countLive(), live);
});

test('a compile error has its log and notes', async () => {
    await assert.rejects(device.compile('this is no CUDA C++'), (error) => {
        assert.equal(error.code, COMPILE);
        assert.equal(error.codeName, 'COMPILE');
        assert.match(error.log, /program\.cu\(1\): error/);
        const option = `option --gpu-architecture=${device.arch}`;
        assert.ok(error.notes.some((note) => note.kind === NOTE_CAUSE && note.message === option));
        return true;
    });
});

test('a release that fails is a warning', () => {
    const event = device.event();
    fail('cuEventDestroy');
    event.release();
    const [warning, ...others] = warnings;
    assert.deepEqual(others, []);
    checkFailure(warning, 'cuEventDestroy');
    assert.ok(warning.notes.some((note) => note.kind === NOTE_CONSEQUENCE));
});

test('a close that fails throws', async () => {
    const stream = device.stream();
    fail('cuStreamDestroy');
    assert.throws(() => stream.close(), (error) => checkFailure(error, 'cuStreamDestroy'));
    stream.close(); // the reference is gone all the same
    await assert.rejects(stream.synchronize(), {codeName: 'INVALID_ARGUMENT'});
});

test('a handle of another type is refused before the library sees it', () => {
    const event = device.event();
    assert.throws(() => event.record(event), TypeError);
    event.close();
});

test('a wait leaves the event loop free', async () => {
    const stream = device.stream();
    const order = [];
    const waited = stream.synchronize().then(() => order.push('waited'));
    order.push('went on');
    stream.close(); // which the wait does without
    await waited;
    assert.deepEqual(order, ['went on', 'waited']);
});
