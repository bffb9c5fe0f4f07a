// SPDX-License-Identifier: MIT OR Apache-2.0
// libcucore from Node.js, with koffi: a sample to copy from and add to, not the whole library.
//
// Each handle has two ends: close throws what fails in destroying the resource, release leaves that to Warnings. What waits is a
// promise, and waits on a thread of koffi's: the event loop goes on.

import koffi from 'koffi';

export const OUT_OF_MEMORY = 7;
export const DEVICE_LOST = 8;
export const COMPILE = 9;
export const DRIVER = 13;
export const NOTE_CAUSE = 1;
export const NOTE_CONSEQUENCE = 2;
export const NOTE_ADVICE = 3;

const PTX = 1;
const ARGUMENT_VALUE = 1;
const ARGUMENT_OBJECT = 3;

// A type for each noun, so that koffi refuses a stream where a device is due. None is a number: 64 bits do not fit into one.
const NOUNS = ['device', 'stream', 'event', 'memory_resource', 'buffer', 'program', 'object_code', 'library', 'kernel'];
for (const noun of [...NOUNS, 'status', 'warning_queue'])
    koffi.opaque(`cucore_${noun}`);

koffi.struct('cucore_argument', {
    kind: 'uint32_t', size: 'uint32_t', value: 'uint64_t', bytes: 'void *', object: 'void *', reserved: koffi.array('uint64_t', 2)
});
const LAUNCH_OPTIONS = koffi.struct('cucore_launch_options', {
    struct_size: 'size_t', grid: koffi.array('uint32_t', 3), block: koffi.array('uint32_t', 3), shared_bytes: 'uint32_t',
    reserved: 'uint32_t'
});

// As in the headers; the text that a `const char *` result names is copied. The file is libcucore.so.1, not libcucore.so: the
// number is the promise that these declarations rest on.
const library = koffi.load(process.env.CUCORE_LIBRARY ?? 'libcucore.so.1');
const STATUS = '_Out_ cucore_status **status';
const C = Object.fromEntries([
    'void cucore_status_release(cucore_status *status)',
    'int32_t cucore_status_code(cucore_status *status)',
    'int64_t cucore_status_native_code(cucore_status *status)',
    'const char *cucore_status_operation(cucore_status *status, void *size)',
    'const char *cucore_status_message(cucore_status *status, void *size)',
    'const char *cucore_status_log(cucore_status *status, void *size)',
    'size_t cucore_status_note_count(cucore_status *status)',
    'cucore_status *cucore_status_note(cucore_status *status, size_t index)',
    'int32_t cucore_status_note_kind(cucore_status *status, size_t index)',
    'const char *cucore_status_code_name(int32_t code)',
    `cucore_warning_queue *cucore_warning_queue_create(size_t capacity, ${STATUS})`,
    'cucore_status *cucore_warning_queue_poll(cucore_warning_queue *queue)',
    'uint64_t cucore_warning_queue_lost(cucore_warning_queue *queue)',
    'void cucore_warning_queue_release(cucore_warning_queue *queue)',
    `cucore_device *cucore_device_open(int32_t ordinal, ${STATUS})`,
    'const char *cucore_device_name(cucore_device *device, void *size)',
    'const char *cucore_device_arch(cucore_device *device, void *size)',
    `cucore_stream *cucore_stream_create(cucore_device *device, void *options, ${STATUS})`,
    `int32_t cucore_stream_synchronize(cucore_stream *stream, ${STATUS})`,
    `cucore_event *cucore_event_create(cucore_device *device, void *options, ${STATUS})`,
    `int32_t cucore_event_record(cucore_event *event, cucore_stream *stream, ${STATUS})`,
    `int32_t cucore_event_synchronize(cucore_event *event, ${STATUS})`,
    `cucore_memory_resource *cucore_memory_resource_device_pool(cucore_device *device, ${STATUS})`,
    `cucore_buffer *cucore_memory_resource_allocate(cucore_memory_resource *pool, size_t size, cucore_stream *stream, ${STATUS})`,
    'size_t cucore_buffer_size(cucore_buffer *buffer)',
    `int32_t cucore_buffer_copy_from_host(cucore_buffer *to, size_t offset, void *from, size_t size, cucore_stream *stream,
        ${STATUS})`,
    `int32_t cucore_buffer_copy_to_host(cucore_buffer *from, size_t offset, void *to, size_t size, cucore_stream *stream,
        ${STATUS})`,
    `cucore_program *cucore_program_create(cucore_device *device, const char *source, size_t size, void *options, ${STATUS})`,
    `cucore_object_code *cucore_program_compile(cucore_program *program, int32_t kind, ${STATUS})`,
    `cucore_library *cucore_library_load(cucore_device *device, cucore_object_code *code, ${STATUS})`,
    `cucore_kernel *cucore_library_kernel(cucore_library *library, const char *name, size_t size, ${STATUS})`,
    `int32_t cucore_kernel_launch(cucore_kernel *kernel, cucore_stream *stream, const cucore_launch_options *options,
        const cucore_argument *arguments, size_t count, ${STATUS})`,
    ...NOUNS.map((noun) => `cucore_${noun} *cucore_${noun}_retain(cucore_${noun} *handle)`),
    ...NOUNS.map((noun) => `void cucore_${noun}_release(cucore_${noun} *handle)`),
    ...NOUNS.map((noun) => `int32_t cucore_${noun}_close(cucore_${noun} *handle, void *destroyed, ${STATUS})`)
].map((declaration) => [/cucore_(\w+)\(/.exec(declaration)[1], library.func(declaration)]));

/** A failure: `code` is what to decide by, `notes` are {kind, message}, `log` is a compiler's or linker's. */
export class CucoreError extends Error {
    constructor(status) {
        const code = C.status_code(status);
        super(`${C.status_code_name(code)}: ${C.status_message(status, null)}`);
        this.name = 'CucoreError';
        this.code = code;
        this.codeName = C.status_code_name(code);
        this.operation = C.status_operation(status, null);
        this.nativeCode = C.status_native_code(status);
        this.log = C.status_log(status, null);
        this.notes = Array.from({length: C.status_note_count(status)}, (_, index) => ({
            kind: C.status_note_kind(status, index),
            message: C.status_message(C.status_note(status, index), null)
        }));
    }
}

/** The error of a status, whose reference it gives up. */
function take(status) {
    try {
        return new CucoreError(status);
    } finally {
        C.status_release(status);
    }
}

/** Calls a function that can fail, and throws what it fails with. */
function call(name, ...values) {
    const status = [null];
    const result = C[name](...values, status);
    if (status[0])
        throw take(status[0]);
    return result;
}

/** The same on a thread of koffi's, for what takes time. The handles must live until then. */
function callElsewhere(name, ...values) {
    const status = [null];
    return new Promise((resolve, reject) => C[name].async(...values, status, (error, result) => {
        if (error || status[0])
            reject(error ?? take(status[0]));
        else
            resolve(result);
    }));
}

/** One reference. To close or release it again does nothing. */
class Handle {
    #noun;
    #handle;

    constructor(noun, handle) {
        this.#noun = noun;
        this.#handle = handle;
    }

    /** What the library is given; NULL, which it refuses by name, once the reference is gone. */
    get c() {
        return this.#handle;
    }

    /** Calls a function that waits, with a reference of its own: this one may be closed meanwhile. */
    async waitFor(name) {
        const kept = C[`${this.#noun}_retain`](this.c);
        try {
            await callElsewhere(name, kept);
        } finally {
            C[`${this.#noun}_release`](kept);
        }
    }

    #take() {
        const handle = this.#handle;
        this.#handle = null;
        return handle;
    }

    /** Gives the reference up, and throws what failed in destroying the resource. */
    close() {
        const handle = this.#take();
        if (handle)
            call(`${this.#noun}_close`, handle, null);
    }

    /** Gives the reference up; what fails is a warning. */
    release() {
        C[`${this.#noun}_release`](this.#take());
    }
}

/**
 * The failures that no call can return, in a queue: they are met on any thread, and only the event loop's may run JavaScript.
 * Iteration takes those that are there, each a CucoreError.
 */
export class Warnings {
    #queue;

    constructor(capacity = 256) {
        this.#queue = call('warning_queue_create', capacity);
    }

    /** How many found the queue full. */
    get lost() {
        return C.warning_queue_lost(this.#queue);
    }

    *[Symbol.iterator]() {
        for (let status = C.warning_queue_poll(this.#queue); status; status = C.warning_queue_poll(this.#queue))
            yield take(status);
    }

    release() {
        C.warning_queue_release(this.#queue);
        this.#queue = null;
    }
}

export class Device extends Handle {
    constructor(ordinal = 0) {
        super('device', call('device_open', ordinal));
    }

    get name() {
        return C.device_name(this.c, null);
    }

    get arch() {
        return C.device_arch(this.c, null);
    }

    stream() {
        return new Stream('stream', call('stream_create', this.c, null));
    }

    event() {
        return new Event('event', call('event_create', this.c, null));
    }

    /** A buffer of `size` bytes from the device's default pool, in the order of the stream. */
    allocate(size, stream) {
        const pool = call('memory_resource_device_pool', this.c);
        try {
            return new Buffer('buffer', call('memory_resource_allocate', pool, size, stream.c));
        } finally {
            C.memory_resource_release(pool);
        }
    }

    /** CUDA C++ to PTX, with NVRTC, which takes its time: so elsewhere than on the event loop's thread. */
    async compile(source) {
        const program = call('program_create', this.c, source, byteLength(source), null);
        try {
            return new ObjectCode('object_code', await callElsewhere('program_compile', program, PTX));
        } finally {
            C.program_release(program);
        }
    }

    load(code) {
        return new Library('library', call('library_load', this.c, code.c));
    }
}

export class Stream extends Handle {
    synchronize() {
        return this.waitFor('stream_synchronize');
    }
}

export class Event extends Handle {
    record(stream) {
        call('event_record', this.c, stream.c);
    }

    synchronize() {
        return this.waitFor('event_synchronize');
    }
}

export class Buffer extends Handle {
    /** In bytes. */
    get size() {
        return C.buffer_size(this.c);
    }

    /** Copies all of a typed array. */
    copyFrom(source, stream) {
        call('buffer_copy_from_host', this.c, 0, source, source.byteLength, stream.c);
    }

    copyTo(destination, stream) {
        call('buffer_copy_to_host', this.c, 0, destination, destination.byteLength, stream.c);
    }
}

export class ObjectCode extends Handle {}

export class Library extends Handle {
    kernel(name) {
        return new Kernel('kernel', call('library_kernel', this.c, name, byteLength(name)));
    }
}

export class Kernel extends Handle {
    /** Arguments are buffers and typed arrays of one element: JavaScript's own numbers do not say how wide they are. */
    launch(stream, grid, block, ...values) {
        const options = {
            struct_size: koffi.sizeof(LAUNCH_OPTIONS), grid: [grid, 1, 1], block: [block, 1, 1], shared_bytes: 0, reserved: 0
        };
        call('kernel_launch', this.c, stream.c, options, values.map(argument), values.length);
    }
}

/** Of the UTF-8 that koffi makes of a string. */
function byteLength(text) {
    return new TextEncoder().encode(text).length;
}

function argument(value) {
    if (value instanceof Buffer)
        return {kind: ARGUMENT_OBJECT, size: 0, value: 0, bytes: null, object: value.c, reserved: [0, 0]};
    return {kind: ARGUMENT_VALUE, size: value.byteLength, value: inMemoryOrder(value), bytes: null, object: null, reserved: [0, 0]};
}

/** The 64-bit number whose first bytes are those of the value: a BigInt, since a number holds 53 bits. */
function inMemoryOrder(value) {
    const bytes = new Uint8Array(8);
    bytes.set(new Uint8Array(value.buffer, value.byteOffset, value.byteLength));
    return new BigUint64Array(bytes.buffer)[0];
}
