// SPDX-License-Identifier: MIT OR Apache-2.0
// Libraries, kernels and launches.
#include "scenarios.hpp"

namespace torture {

namespace {

constexpr int32_t COUNT = 64;

/// Stores each of its parameters, of every size, in the buffer that the last one names: eight numbers of 64 bits.
const std::string PARAMETERS_PTX = R"(.version 7.0
.target sm_52
.address_size 64
.visible .entry parameters(.param .u8 a, .param .s16 b, .param .u32 c, .param .u64 d, .param .f32 e, .param .f64 f,
                           .param .align 8 .b8 g[16], .param .u64 out)
{
    .reg .b64 %rd<4>;
    .reg .b32 %r<4>;
    ld.param.u64 %rd1, [out];
    cvta.to.global.u64 %rd1, %rd1;
    ld.param.u8 %r1, [a];
    st.global.u32 [%rd1], %r1;
    ld.param.u32 %r2, [c];
    st.global.u32 [%rd1+4], %r2;
    ld.param.u64 %rd2, [d];
    st.global.u64 [%rd1+8], %rd2;
    ld.param.u64 %rd3, [g+8];
    st.global.u64 [%rd1+16], %rd3;
    ret;
}
)";

struct Loaded {
    Loaded(Job &job, const std::string &code, const std::string &name)
        : device(job.make(cucore_device_open, 0)), library(job.make(cucore_library_load, device, ptx(job, code))),
          kernel(job.make(cucore_library_kernel, library, name.data(), name.size())) {
    }
    Device device;
    Library library;
    Kernel kernel;
};

/// From PTX to a verified result: streams, events, pool memory, copies, a fill, a launch.
void main_job(Job &job) {
    const Device device = job.make(cucore_device_open, 0);
    const Stream stream = job.make(cucore_stream_create, device, nullptr);
    const Stream other = job.make(cucore_stream_create, device, nullptr);
    const cucore_event_options timing{sizeof timing, CUCORE_ON, CUCORE_DEFAULT};
    const Event start = job.make(cucore_event_create, device, &timing), end = job.make(cucore_event_create, device, &timing);
    const Resource resource = job.make(cucore_memory_resource_device_pool, device);
    const Buffer x = job.make(cucore_memory_resource_allocate, resource, COUNT * sizeof(float), stream);
    const Buffer y = job.make(cucore_memory_resource_allocate, resource, COUNT * sizeof(float), stream);
    const std::vector<float> ones(COUNT, 1.0f);
    job.ok(cucore_buffer_copy_from_host, x, size_t{0}, ones.data(), COUNT * sizeof(float), stream);
    job.ok(cucore_buffer_fill, y, size_t{0}, COUNT * sizeof(float), 0x40000000u, 4u, stream); // 2.0f
    const ObjectCode code = ptx(job, test::SAXPY_PTX, "job.ptx");
    const Library library = job.make(cucore_library_load, device, code);
    const Kernel kernel = job.make(cucore_library_kernel, library, "saxpy", size_t{5});
    const auto parameters = job.read<size_t>(cucore_kernel_parameter_count, kernel);
    job.expect(parameters == 4, "saxpy has four parameters");
    const cucore_launch_options options = shape(2, 32);
    const cucore_argument arguments[] = {value(3.0f), object(x), object(y), value(COUNT)};
    job.ok(cucore_event_record, start, stream);
    job.ok(cucore_stream_wait_event, other, start);
    job.ok(cucore_kernel_launch, kernel, other, &options, arguments, size_t{4});
    job.ok(cucore_event_record, end, other);
    job.ok(cucore_event_synchronize, end);
    const auto milliseconds = job.read<float>(cucore_event_elapsed, start, end);
    job.expect(milliseconds >= 0, "time goes on");
    std::vector<float> result(COUNT);
    job.ok(cucore_buffer_copy_to_host, y, size_t{0}, result.data(), COUNT * sizeof(float), stream);
    job.expect(result == std::vector<float>(COUNT, 5.0f), "the sum is right");
    job.ok(cucore_stream_synchronize, other);
}

/// A kernel asked everything, as one does to choose how it is launched.
void kernel_attributes(Job &job) {
    const Loaded with(job, test::SAXPY_PTX, "saxpy");
    const Kernel kernel = job.hold(cucore_kernel_retain, with.kernel.get());
    const auto parameter = job.read<size_t>(cucore_kernel_parameter_size, kernel, size_t{1});
    const auto offset = job.read<size_t>(cucore_kernel_parameter_offset, kernel, size_t{1});
    const auto threads = job.read<int32_t>(cucore_kernel_attribute, kernel, CUCORE_KERNEL_ATTRIBUTE_MAX_THREADS_PER_BLOCK, nullptr);
    const auto registers = job.read<int32_t>(cucore_kernel_attribute, kernel, CUCORE_KERNEL_ATTRIBUTE_REGISTERS, with.device);
    job.expect(parameter == 8 && offset == 8 && threads > 0 && registers >= 0, "a kernel can be asked");
    job.ok(cucore_kernel_set_attribute, kernel, CUCORE_KERNEL_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE, with.device, 1024);
    size_t size = 0;
    job.fails(CUCORE_INVALID_ARGUMENT, cucore_kernel_parameter_size, kernel, size_t{4}, &size);
}

/// A library with kernels and a variable, all of them found.
void library_contents(Job &job) {
    const Device device = job.make(cucore_device_open, 0);
    const std::string second = test::NOTHING_PTX.substr(test::NOTHING_PTX.find(".visible"));
    const ObjectCode code = ptx(job, test::SAXPY_PTX + second + ".visible .global .align 4 .u32 counter;\n");
    Library library = job.make(cucore_library_load, device, code);
    const auto count = job.read<size_t>(cucore_library_kernel_count, library);
    cucore_kernel *kernels[2];
    const auto total = job.read<size_t>(cucore_library_kernels, library, kernels, size_t{2});
    Kernel first(job, kernels[0]);
    const Kernel other(job, kernels[1]);
    uint64_t address = 0;
    const auto size = job.read<size_t>(cucore_library_global, library, "counter", size_t{7}, &address);
    job.expect(count == 2 && total == 2 && size == 4 && address != 0, "a library has what is in the code");
    job.fails(CUCORE_NOT_FOUND, cucore_library_kernel, library, "absent", size_t{6});
    job.close(library);
    job.close(first);
}

/// From a kernel to what it belongs to, everything else released first.
void parents(Job &job) {
    Loaded with(job, test::NOTHING_PTX, "nothing");
    with.device.reset();
    const Library again = job.hold(cucore_library_retain, with.library.get());
    with.library.reset();
    size_t size = 0;
    job.expect(job.get(cucore_kernel_name, with.kernel.get(), &size) == std::string("nothing"), "a kernel has a name");
    job.expect(job.get(cucore_kernel_raw, with.kernel.get()) != nullptr, "a kernel has a raw handle");
    const Library library = job.hold(cucore_kernel_library, with.kernel.get());
    job.expect(job.get(cucore_library_raw, library.get()) == cucore_library_raw(again), "a kernel is of its library");
    const Device device = job.hold(cucore_library_device, library.get());
    const ObjectCode code = job.hold(cucore_library_code, library.get());
    job.expect(cucore_object_code_kind(code) == CUCORE_OBJECT_CODE_PTX, "a library keeps its code");
    const Stream stream = job.make(cucore_stream_create, device, nullptr);
    const cucore_launch_options options = shape(1, 1);
    job.ok(cucore_kernel_launch, with.kernel, stream, &options, nullptr, size_t{0});
    job.ok(cucore_stream_synchronize, stream);
}

/// Code that the driver does not take.
void bad_code(Job &job) {
    const Device device = job.make(cucore_device_open, 0);
    const ObjectCode wrong =
        ptx(job, ".version 7.0\n.target sm_52\n.address_size 64\n.visible .entry bad()\n{\n    nonsense;\n}\n");
    job.fails(CUCORE_COMPILE, cucore_library_load, device, wrong);
    const ObjectCode lto = job.make(cucore_object_code_create, CUCORE_OBJECT_CODE_LTO_IR, "code", size_t{4}, nullptr, size_t{0});
    job.fails(CUCORE_INVALID_ARGUMENT, cucore_library_load, device, lto);
}

/// Parameters of every kind and size.
void many_parameters(Job &job) {
    const Loaded with(job, PARAMETERS_PTX, "parameters");
    const Stream stream = job.make(cucore_stream_create, with.device, nullptr);
    const Resource pool = job.make(cucore_memory_resource_device_pool, with.device);
    const Buffer out = job.make(cucore_memory_resource_allocate, pool, size_t{64}, stream);
    const uint64_t pair[2] = {8, 9};
    cucore_argument bytes{};
    bytes.kind = CUCORE_ARGUMENT_BYTES;
    bytes.size = sizeof pair;
    bytes.bytes = pair;
    const cucore_argument arguments[] = {
        value(uint8_t{1}), value(int16_t{2}), value(uint32_t{3}), value(uint64_t{4}), value(5.0f), value(6.0), bytes,
        object(out, 32)};
    const cucore_launch_options options = shape(1, 1);
    job.ok(cucore_kernel_launch, with.kernel, stream, &options, arguments, size_t{8});
    uint64_t numbers[3];
    job.ok(cucore_buffer_copy_to_host, out, size_t{32}, numbers, sizeof numbers, stream);
    job.expect(numbers[0] == (uint64_t{3} << 32 | 1) && numbers[1] == 4 && numbers[2] == 9, "the parameters got there");
    job.fails(CUCORE_INVALID_ARGUMENT, cucore_kernel_launch, with.kernel, stream, &options, arguments, size_t{7});
}

/// One launch after another, on streams that wait for each other.
void launches_in_series(Job &job) {
    const Loaded with(job, test::SAXPY_PTX, "saxpy");
    const Stream one = job.make(cucore_stream_create, with.device, nullptr),
                 two = job.make(cucore_stream_create, with.device, nullptr);
    const Resource pool = job.make(cucore_memory_resource_create_pool, with.device, nullptr);
    const Buffer x = job.make(cucore_memory_resource_allocate, pool, COUNT * sizeof(float), one);
    const Buffer y = job.make(cucore_memory_resource_allocate, pool, COUNT * sizeof(float), one);
    const cucore_launch_options options = shape(1, COUNT);
    const cucore_argument arguments[] = {value(2.0f), object(x), object(y), value(COUNT)};
    job.ok(cucore_buffer_fill, x, size_t{0}, COUNT * sizeof(float), 0x3f800000u, 4u, one); // 1.0f
    job.ok(cucore_buffer_fill, y, size_t{0}, COUNT * sizeof(float), 0u, 4u, one);
    for (cucore_stream *stream : {one.get(), two.get()}) {
        job.ok(cucore_kernel_launch, with.kernel, stream, &options, arguments, size_t{4});
        job.ok(cucore_stream_wait_stream, two, one);
    }
    float last = 0;
    job.ok(cucore_buffer_copy_to_host, y, (COUNT - 1) * sizeof(float), &last, sizeof last, two);
    job.expect(last == 4.0f, "both launches added");
}

/// A launch in a context of other code's, on its default stream.
void launch_in_a_foreign_context(Job &job) {
    const Context lent = job.make(cucore_context_from_raw, job.foreign.lent, CUCORE_BORROW, nullptr, nullptr);
    const Device device = job.make(cucore_device_with_context, lent);
    const Library library = job.make(cucore_library_load, device, ptx(job, test::NOTHING_PTX));
    const Kernel kernel = job.make(cucore_library_kernel, library, "nothing", size_t{7});
    const Stream legacy = job.make(cucore_stream_default, device);
    const cucore_launch_options options = shape(1, 1);
    job.ok(cucore_kernel_launch, kernel, legacy, &options, nullptr, size_t{0});
    job.ok(cucore_context_synchronize, lent);
}

} // namespace

const Scenarios kernel_scenarios = {
    {"the main job", &main_job},
    {"a kernel's attributes", &kernel_attributes},
    {"what is in a library", &library_contents},
    {"parents of kernels", &parents},
    {"bad code", &bad_code},
    {"many parameters", &many_parameters},
    {"launches in series", &launches_in_series, WARNS},
    {"a launch in a foreign context", &launch_in_a_foreign_context},
};

} // namespace torture
