// SPDX-License-Identifier: MIT OR Apache-2.0

import com.sun.jna.NativeLibrary;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What Cucore makes of failures. Needs the simulated driver, which can be told to fail, and NVRTC.
 *
 * <pre>CUCORE_LIBRARY=... CUCORE_DRIVER_LIBRARY=.../sim/libcuda.so.1 CUCORE_WHEELS=... java -cp jna.jar:classes CucoreTest</pre>
 */
public final class CucoreTest {
    private static final int LAUNCH_FAILED = 719;
    private static final NativeLibrary DRIVER = NativeLibrary.getInstance(System.getenv("CUCORE_DRIVER_LIBRARY"));

    private final Cucore.Device device;
    private final Cucore.Warnings warnings;

    private interface Test {
        void run() throws Exception;
    }

    private CucoreTest(Cucore.Device device, Cucore.Warnings warnings) {
        this.device = device;
        this.warnings = warnings;
    }

    /** The next call of this driver function fails. */
    private static void fail(String function) {
        DRIVER.getFunction("cusim_fail").invoke(new Object[] {function, 1L, LAUNCH_FAILED, 0});
    }

    /** What is alive in the driver, but for contexts: a device's own is kept. */
    private static long countLive() {
        return countLive(null) - countLive("context");
    }

    private static long countLive(String kind) {
        return DRIVER.getFunction("cusim_live_count").invokeLong(new Object[] {kind});
    }

    private static void check(boolean holds, Object what) {
        if (!holds) {
            throw new AssertionError(what);
        }
    }

    private static Cucore.Failure failureOf(Runnable action) {
        try {
            action.run();
        } catch (Cucore.Failure failure) {
            return failure;
        }
        throw new AssertionError("no failure");
    }

    private static void checkFailure(Cucore.Failure failure, String call) {
        check(failure != null, "no failure");
        check(failure.operation.equals(call) && failure.nativeCode == LAUNCH_FAILED, failure);
        check(failure.getMessage().matches(call + "\\(0x[0-9a-f]+\\) failed: CUDA_ERROR_LAUNCH_FAILED.*"), failure);
    }

    private void saxpy() {
        long live = countLive();
        float[] x = new float[512];
        float[] y = new float[512];
        float[] expected = new float[512];
        Arrays.fill(x, 3);
        Arrays.fill(y, 1);
        Arrays.fill(expected, 7);
        check(Arrays.equals(Saxpy.saxpy(device, 2, x, y), expected), "wrong");
        check(countLive() == live, "something is left");
    }

    private void compileErrorHasLogAndNotes() {
        Cucore.Failure failure = failureOf(() -> device.compile("this is no CUDA C++"));
        check(failure.code == Cucore.COMPILE && failure.codeName.equals("COMPILE"), failure);
        check(failure.log.contains("program.cu(1): error"), failure.log);
        Cucore.Note option = new Cucore.Note(Cucore.NOTE_CAUSE, "option --gpu-architecture=" + device.arch());
        check(failure.notes.contains(option), failure.notes);
    }

    private void failingReleaseIsAWarning() {
        Cucore.Event event = device.event();
        fail("cuEventDestroy");
        event.release();
        Cucore.Failure warning = warnings.poll();
        checkFailure(warning, "cuEventDestroy");
        check(warning.notes.stream().anyMatch(note -> note.kind() == Cucore.NOTE_CONSEQUENCE), warning.notes);
    }

    private void releaseOnAnotherThread() throws InterruptedException {
        Cucore.Stream stream = device.stream();
        fail("cuStreamDestroy");
        Thread thread = new Thread(stream::release);
        thread.start();
        thread.join();
        checkFailure(warnings.poll(), "cuStreamDestroy");
    }

    private void failingCloseThrows() {
        Cucore.Stream stream = device.stream();
        fail("cuStreamDestroy");
        checkFailure(failureOf(stream::close), "cuStreamDestroy");
        stream.close(); // the reference is gone all the same
        check(failureOf(stream::synchronize).codeName.equals("INVALID_ARGUMENT"), "a closed stream");
    }

    private void failureOnItsWayIsKept() {
        Cucore.Failure failure = failureOf(() -> {
            try (Cucore.Stream stream = device.stream()) {
                fail("cuStreamDestroy");
                stream.synchronize();
                new Cucore.Device(99);
            }
        });
        check(failure.codeName.equals("NOT_FOUND"), failure);
        checkFailure((Cucore.Failure) failure.getSuppressed()[0], "cuStreamDestroy");
    }

    private Map<String, Test> tests() {
        Map<String, Test> tests = new LinkedHashMap<>();
        tests.put("saxpy", this::saxpy);
        tests.put("a compile error has its log and notes", this::compileErrorHasLogAndNotes);
        tests.put("a release that fails is a warning", this::failingReleaseIsAWarning);
        tests.put("a release on another thread", this::releaseOnAnotherThread);
        tests.put("a close that fails throws", this::failingCloseThrows);
        tests.put("a failure on its way is kept", this::failureOnItsWayIsKept);
        return tests;
    }

    private boolean passes(String name, Test test) {
        try {
            test.run();
            Cucore.Failure warning = warnings.poll();
            check(warning == null, warning);
            return true;
        } catch (Exception | AssertionError e) {
            System.err.println(name + ": " + e);
            return false;
        }
    }

    public static void main(String[] arguments) {
        long failed;
        int all;
        try (Cucore.Warnings warnings = new Cucore.Warnings(16); Cucore.Device device = new Cucore.Device(0)) {
            CucoreTest tests = new CucoreTest(device, warnings);
            all = tests.tests().size();
            failed = tests.tests().entrySet().stream().filter(test -> !tests.passes(test.getKey(), test.getValue())).count();
        }
        System.out.printf("java: %d passed, %d failed%n", all - failed, failed);
        System.exit(failed == 0 ? 0 : 1);
    }
}
