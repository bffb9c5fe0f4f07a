// SPDX-License-Identifier: MIT OR Apache-2.0

import com.sun.jna.Memory;
import com.sun.jna.Native;
import com.sun.jna.Pointer;
import com.sun.jna.Structure;
import com.sun.jna.ptr.PointerByReference;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * libcucore from Java, with JNA: a sample to copy from and add to, not the whole library.
 *
 * <p>Each handle has two ends: close, which try-with-resources calls, throws what fails in destroying the resource; release leaves
 * that to {@link Warnings}. Any thread may call any method.
 */
public final class Cucore {
    public static final int OUT_OF_MEMORY = 7;
    public static final int DEVICE_LOST = 8;
    public static final int COMPILE = 9;
    public static final int DRIVER = 13;
    public static final int NOTE_CAUSE = 1;
    public static final int NOTE_CONSEQUENCE = 2;
    public static final int NOTE_ADVICE = 3;

    private static final int PTX = 1;
    private static final int ARGUMENT_VALUE = 1;
    private static final int ARGUMENT_OBJECT = 3;
    private static final int ARGUMENT_SIZE = 48;

    // The file is libcucore.so.1, not libcucore.so: the number is the promise that these declarations rest on.
    private static final Functions C = Native.load(
            System.getenv().getOrDefault("CUCORE_LIBRARY", "libcucore.so.1"),
            Functions.class,
            Map.of(com.sun.jna.Library.OPTION_STRING_ENCODING, "UTF-8"));

    private Cucore() {}

    /** As the headers declare them. A size_t is a long: CUDA's systems all have 64 bits. A String result is a copy. */
    private interface Functions extends com.sun.jna.Library {
        void cucore_status_release(Pointer status);

        int cucore_status_code(Pointer status);

        long cucore_status_native_code(Pointer status);

        String cucore_status_operation(Pointer status, Pointer size);

        String cucore_status_message(Pointer status, Pointer size);

        String cucore_status_log(Pointer status, Pointer size);

        long cucore_status_note_count(Pointer status);

        Pointer cucore_status_note(Pointer status, long index);

        int cucore_status_note_kind(Pointer status, long index);

        String cucore_status_code_name(int code);

        Pointer cucore_warning_queue_create(long capacity, PointerByReference status);

        Pointer cucore_warning_queue_poll(Pointer queue);

        long cucore_warning_queue_lost(Pointer queue);

        void cucore_warning_queue_release(Pointer queue);

        Pointer cucore_device_open(int ordinal, PointerByReference status);

        String cucore_device_name(Pointer device, Pointer size);

        String cucore_device_arch(Pointer device, Pointer size);

        void cucore_device_release(Pointer device);

        int cucore_device_close(Pointer device, Pointer destroyed, PointerByReference status);

        Pointer cucore_stream_create(Pointer device, Pointer options, PointerByReference status);

        int cucore_stream_synchronize(Pointer stream, PointerByReference status);

        void cucore_stream_release(Pointer stream);

        int cucore_stream_close(Pointer stream, Pointer destroyed, PointerByReference status);

        Pointer cucore_event_create(Pointer device, Pointer options, PointerByReference status);

        int cucore_event_record(Pointer event, Pointer stream, PointerByReference status);

        int cucore_event_synchronize(Pointer event, PointerByReference status);

        void cucore_event_release(Pointer event);

        int cucore_event_close(Pointer event, Pointer destroyed, PointerByReference status);

        Pointer cucore_memory_resource_device_pool(Pointer device, PointerByReference status);

        Pointer cucore_memory_resource_allocate(Pointer resource, long size, Pointer stream, PointerByReference status);

        void cucore_memory_resource_release(Pointer resource);

        int cucore_buffer_copy_from_host(Pointer buffer, long offset, Pointer source, long size, Pointer stream,
                PointerByReference status);

        int cucore_buffer_copy_to_host(Pointer buffer, long offset, Pointer target, long size, Pointer stream,
                PointerByReference status);

        void cucore_buffer_release(Pointer buffer);

        int cucore_buffer_close(Pointer buffer, Pointer destroyed, PointerByReference status);

        Pointer cucore_program_create(Pointer device, byte[] source, long size, Pointer options, PointerByReference status);

        Pointer cucore_program_compile(Pointer program, int kind, PointerByReference status);

        void cucore_program_release(Pointer program);

        void cucore_object_code_release(Pointer code);

        int cucore_object_code_close(Pointer code, Pointer destroyed, PointerByReference status);

        Pointer cucore_library_load(Pointer device, Pointer code, PointerByReference status);

        Pointer cucore_library_kernel(Pointer library, byte[] name, long size, PointerByReference status);

        void cucore_library_release(Pointer library);

        int cucore_library_close(Pointer library, Pointer destroyed, PointerByReference status);

        int cucore_kernel_launch(Pointer kernel, Pointer stream, LaunchOptions options, Pointer arguments, long count,
                PointerByReference status);

        void cucore_kernel_release(Pointer kernel);

        int cucore_kernel_close(Pointer kernel, Pointer destroyed, PointerByReference status);
    }

    @Structure.FieldOrder({"structSize", "grid", "block", "sharedBytes", "reserved"})
    public static final class LaunchOptions extends Structure {
        public long structSize;
        public int[] grid = {1, 1, 1};
        public int[] block = {1, 1, 1};
        public int sharedBytes;
        public int reserved;

        private LaunchOptions(int grid, int block) {
            this.grid[0] = grid;
            this.block[0] = block;
            structSize = size();
        }
    }

    /** Why something failed, what else did, or what to do. */
    public record Note(int kind, String message) {}

    /** A failure: its code is what to decide by, its log a compiler's or linker's. */
    public static final class Failure extends RuntimeException {
        private static final long serialVersionUID = 1;

        public final int code;
        public final String codeName;
        public final String operation;
        public final long nativeCode;
        public final String log;
        public final transient List<Note> notes;

        private Failure(Pointer status) {
            super(C.cucore_status_message(status, null));
            code = C.cucore_status_code(status);
            codeName = C.cucore_status_code_name(code);
            operation = C.cucore_status_operation(status, null);
            nativeCode = C.cucore_status_native_code(status);
            log = C.cucore_status_log(status, null);
            List<Note> found = new ArrayList<>();
            for (long i = 0; i < C.cucore_status_note_count(status); i++) {
                Pointer note = C.cucore_status_note(status, i);
                found.add(new Note(C.cucore_status_note_kind(status, i), C.cucore_status_message(note, null)));
            }
            notes = List.copyOf(found);
        }

        @Override
        public String toString() {
            StringBuilder text = new StringBuilder(codeName + ": " + getMessage());
            notes.forEach(note -> text.append("\n  ").append(note.message));
            return text.append(log.isEmpty() ? "" : "\n").append(log.stripTrailing()).toString();
        }
    }

    /** The failure of a status, whose reference it gives up. */
    private static Failure take(Pointer status) {
        try {
            return new Failure(status);
        } finally {
            C.cucore_status_release(status);
        }
    }

    /** Makes a call that can fail, and throws what it fails with: a failure always has its status. */
    private static <T> T call(Function<PointerByReference, T> function) {
        PointerByReference status = new PointerByReference();
        T result = function.apply(status);
        if (status.getValue() != null) {
            throw take(status.getValue());
        }
        return result;
    }

    /** A function cucore_..._close. */
    private interface Close {
        int close(Pointer handle, Pointer destroyed, PointerByReference status);
    }

    /** One reference. To close or release it again does nothing. */
    public abstract static class Handle implements AutoCloseable {
        private final AtomicReference<Pointer> handle;
        private final Close close;
        private final Consumer<Pointer> release;

        private Handle(Pointer handle, Close close, Consumer<Pointer> release) {
            this.handle = new AtomicReference<>(handle);
            this.close = close;
            this.release = release;
        }

        /** What the library is given; NULL, which it refuses by name, once the reference is gone. */
        Pointer c() {
            return handle.get();
        }

        /** Gives the reference up, and throws what failed in destroying the resource. */
        @Override
        public void close() {
            Pointer last = handle.getAndSet(null);
            if (last != null) {
                call(status -> close.close(last, null, status));
            }
        }

        /** Gives the reference up; what fails is a warning. */
        public void release() {
            release.accept(handle.getAndSet(null));
        }
    }

    /**
     * The failures that no call can return, in a queue. JNA could call a sink on any thread, but it would attach that thread to the
     * JVM, run in the midst of that thread's work, and lose what it throws.
     */
    public static final class Warnings implements AutoCloseable {
        private final Pointer queue;

        public Warnings(int capacity) {
            queue = call(status -> C.cucore_warning_queue_create(capacity, status));
        }

        /** The oldest, null if there is none. */
        public Failure poll() {
            Pointer status = C.cucore_warning_queue_poll(queue);
            return status == null ? null : take(status);
        }

        /** How many found the queue full. */
        public long lost() {
            return C.cucore_warning_queue_lost(queue);
        }

        /** No other method may be called then. */
        @Override
        public void close() {
            C.cucore_warning_queue_release(queue);
        }
    }

    public static final class Device extends Handle {
        public Device(int ordinal) {
            super(call(status -> C.cucore_device_open(ordinal, status)), C::cucore_device_close, C::cucore_device_release);
        }

        public String name() {
            return C.cucore_device_name(c(), null);
        }

        public String arch() {
            return C.cucore_device_arch(c(), null);
        }

        public Stream stream() {
            return new Stream(call(status -> C.cucore_stream_create(c(), null, status)));
        }

        public Event event() {
            return new Event(call(status -> C.cucore_event_create(c(), null, status)));
        }

        /** A buffer of the device's default pool, in the order of the stream. */
        public Buffer allocate(long size, Stream stream) {
            Pointer pool = call(status -> C.cucore_memory_resource_device_pool(c(), status));
            try {
                return new Buffer(call(status -> C.cucore_memory_resource_allocate(pool, size, stream.c(), status)));
            } finally {
                C.cucore_memory_resource_release(pool);
            }
        }

        /** CUDA C++ to PTX, with NVRTC. */
        public ObjectCode compile(String source) {
            byte[] text = source.getBytes(StandardCharsets.UTF_8);
            Pointer program = call(status -> C.cucore_program_create(c(), text, text.length, null, status));
            try {
                return new ObjectCode(call(status -> C.cucore_program_compile(program, PTX, status)));
            } finally {
                C.cucore_program_release(program);
            }
        }

        public Library load(ObjectCode code) {
            return new Library(call(status -> C.cucore_library_load(c(), code.c(), status)));
        }
    }

    public static final class Stream extends Handle {
        private Stream(Pointer handle) {
            super(handle, C::cucore_stream_close, C::cucore_stream_release);
        }

        public void synchronize() {
            call(status -> C.cucore_stream_synchronize(c(), status));
        }
    }

    public static final class Event extends Handle {
        private Event(Pointer handle) {
            super(handle, C::cucore_event_close, C::cucore_event_release);
        }

        public void record(Stream stream) {
            call(status -> C.cucore_event_record(c(), stream.c(), status));
        }

        public void synchronize() {
            call(status -> C.cucore_event_synchronize(c(), status));
        }
    }

    public static final class Buffer extends Handle {
        private Buffer(Pointer handle) {
            super(handle, C::cucore_buffer_close, C::cucore_buffer_release);
        }

        /** Copies all of an array, by way of memory outside the heap, where nothing moves it. */
        public void copyFrom(float[] source, Stream stream) {
            try (Memory memory = new Memory((long) Float.BYTES * source.length)) {
                memory.write(0, source, 0, source.length);
                call(status -> C.cucore_buffer_copy_from_host(c(), 0, memory, memory.size(), stream.c(), status));
            }
        }

        public void copyTo(float[] target, Stream stream) {
            try (Memory memory = new Memory((long) Float.BYTES * target.length)) {
                call(status -> C.cucore_buffer_copy_to_host(c(), 0, memory, memory.size(), stream.c(), status));
                memory.read(0, target, 0, target.length);
            }
        }
    }

    public static final class ObjectCode extends Handle {
        private ObjectCode(Pointer handle) {
            super(handle, C::cucore_object_code_close, C::cucore_object_code_release);
        }
    }

    public static final class Library extends Handle {
        private Library(Pointer handle) {
            super(handle, C::cucore_library_close, C::cucore_library_release);
        }

        public Kernel kernel(String name) {
            byte[] text = name.getBytes(StandardCharsets.UTF_8);
            return new Kernel(call(status -> C.cucore_library_kernel(c(), text, text.length, status)));
        }
    }

    public static final class Kernel extends Handle {
        private Kernel(Pointer handle) {
            super(handle, C::cucore_kernel_close, C::cucore_kernel_release);
        }

        /** Puts the kernel on the stream. Arguments are buffers, floats and ints. */
        public void launch(Stream stream, int grid, int block, Object... values) {
            LaunchOptions options = new LaunchOptions(grid, block);
            try (Memory arguments = new Memory((long) ARGUMENT_SIZE * Math.max(values.length, 1))) {
                arguments.clear();
                for (int i = 0; i < values.length; i++) {
                    write(arguments.share((long) ARGUMENT_SIZE * i), values[i]);
                }
                call(status -> C.cucore_kernel_launch(c(), stream.c(), options, arguments, values.length, status));
            }
        }
    }

    /** A cucore_argument: kind, size, value, bytes, object, and 16 bytes in reserve. */
    private static void write(Pointer argument, Object value) {
        argument.setInt(0, value instanceof Buffer ? ARGUMENT_OBJECT : ARGUMENT_VALUE);
        if (value instanceof Buffer buffer) {
            argument.setPointer(24, buffer.c());
        } else if (value instanceof Float number) {
            argument.setInt(4, Float.BYTES);
            argument.setFloat(8, number);
        } else if (value instanceof Integer number) {
            argument.setInt(4, Integer.BYTES);
            argument.setInt(8, number);
        } else {
            throw new IllegalArgumentException("a kernel's argument cannot be " + value);
        }
    }
}
