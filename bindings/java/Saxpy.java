// SPDX-License-Identifier: MIT OR Apache-2.0

/**
 * Compiles a kernel, runs it, checks what it computed, and fails if anything could not be destroyed.
 *
 * <pre>CUCORE_LIBRARY=path/to/libcucore.so.1 java -cp jna.jar:classes Saxpy</pre>
 */
public final class Saxpy {
    private static final int COUNT = 1 << 16;
    private static final int BLOCK = 256;
    private static final String SOURCE = """
            extern "C" __global__ void saxpy(float a, const float *x, float *y, int n) {
                int i = blockIdx.x * blockDim.x + threadIdx.x;
                if (i < n) y[i] = a * x[i] + y[i];
            }
            """;

    private Saxpy() {}

    private static Cucore.Kernel compileKernel(Cucore.Device device) {
        try (Cucore.ObjectCode code = device.compile(SOURCE); Cucore.Library library = device.load(code)) {
            return library.kernel("saxpy"); // which keeps its library
        }
    }

    private static void waitFor(Cucore.Device device, Cucore.Stream stream) {
        Cucore.Event done = device.event();
        try {
            done.record(stream);
            done.synchronize();
        } finally {
            done.release(); // not close: if it cannot be destroyed, that is a warning
        }
    }

    /** a * x + y, computed by the device. */
    static float[] saxpy(Cucore.Device device, float a, float[] x, float[] y) {
        long size = (long) Float.BYTES * x.length;
        try (Cucore.Stream stream = device.stream();
                Cucore.Kernel kernel = compileKernel(device);
                Cucore.Buffer deviceX = device.allocate(size, stream);
                Cucore.Buffer deviceY = device.allocate(size, stream)) {
            deviceX.copyFrom(x, stream);
            deviceY.copyFrom(y, stream);
            kernel.launch(stream, x.length / BLOCK, BLOCK, a, deviceX, deviceY, x.length);
            waitFor(device, stream);
            float[] result = new float[y.length];
            deviceY.copyTo(result, stream);
            return result;
        }
    }

    private static void compute() {
        float[] x = new float[COUNT];
        float[] y = new float[COUNT];
        for (int i = 0; i < COUNT; i++) {
            x[i] = i % 1000;
            y[i] = i % 77;
        }
        try (Cucore.Device device = new Cucore.Device(0)) {
            float[] result = saxpy(device, 2.5f, x, y);
            System.out.printf("%s, %s: %d elements%n", device.name(), device.arch(), COUNT);
            for (int i = 0; i < COUNT; i++) {
                if (result[i] != 2.5f * x[i] + y[i]) {
                    throw new ArithmeticException("element " + i + " is " + result[i]);
                }
            }
        }
    }

    public static void main(String[] arguments) {
        try (Cucore.Warnings warnings = new Cucore.Warnings(256)) {
            compute();
            Cucore.Failure warning = warnings.poll();
            if (warning != null) {
                throw warning;
            }
        }
    }
}
