// SPDX-License-Identifier: MIT OR Apache-2.0
#include "support/contexts.hpp"
#include "support/cucore.hpp"

#include <algorithm>

using namespace test;

namespace {

/// Two kernels, and two variables of 16 and 4 bytes.
const std::string SEVERAL_PTX = ".version 7.0\n.target sm_52\n.address_size 64\n"
                                ".visible .global .align 4 .u32 table[4];\n.visible .global .align 4 .u32 counter = 7;\n"
                                ".visible .entry first(.param .u32 x)\n{\n    ret;\n}\n"
                                ".visible .entry second()\n{\n    ret;\n}\n";

struct Global {
    uint64_t address = 77;
    size_t size = 77;
};

Global global(cucore_library *library, const std::string &name) {
    Global found;
    ok(cucore_library_global, library, name.data(), name.size(), &found.address, &found.size);
    return found;
}

/// The names of as many kernels as there is room for, sorted; `total` of them there are.
std::vector<std::string> kernel_names(cucore_library *library, size_t capacity, size_t total) {
    std::vector<cucore_kernel *> kernels(capacity);
    size_t found = 77;
    ok(cucore_library_kernels, library, kernels.data(), capacity, &found);
    CHECK(found == total);
    std::vector<std::string> names;
    for (size_t index = 0; index < std::min(capacity, total); index++) {
        const Kernel kernel(kernels[index]);
        names.emplace_back(cucore_kernel_name(kernel, nullptr));
        CHECK(Library(cucore_kernel_library(kernel)).get() == library);
    }
    std::sort(names.begin(), names.end());
    return names;
}

} // namespace

TEST_CASE_METHOD(Clean, "PTX is loaded for a device, which the library keeps") {
    Device device = make(cucore_device_open, 0);
    cucore_device *address = device;
    const Library library = load(device);
    device.reset();
    CHECK(cucore_library_raw(library) != nullptr);
    CHECK(Device(cucore_library_device(library)).get() == address);
}

TEST_CASE_METHOD(Clean, "LTO-IR is to be linked first") {
    const Device device = make(cucore_device_open, 0);
    const ObjectCode code = make(cucore_object_code_create, CUCORE_OBJECT_CODE_LTO_IR, "bits", size_t{4}, nullptr, size_t{0});
    fails_saying(CUCORE_INVALID_ARGUMENT, "LTO-IR", cucore_library_load, device, code);
}

TEST_CASE_METHOD(Clean, "a kernel is found by its name") {
    const Library library = load(make(cucore_device_open, 0));
    const Kernel kernel = make(cucore_library_kernel, library, "saxpyXYZ", size_t{5});
    size_t size = 0;
    CHECK(cucore_kernel_name(kernel, &size) == std::string("saxpy"));
    CHECK(size == 5);
    CHECK(cucore_kernel_raw(kernel) != nullptr);
}

TEST_CASE_METHOD(Clean, "there is no kernel of another name") {
    const Library library = load(make(cucore_device_open, 0));
    const Facts facts = fails(cucore_library_kernel, library, "nope", size_t{4});
    INFO(describe(facts));
    CHECK(facts.code == CUCORE_NOT_FOUND);
    CHECK((facts.says("nope") || facts.note(CUCORE_NOTE_CAUSE, "nope") != nullptr));
    fails_saying(CUCORE_INVALID_ARGUMENT, "name is NULL", cucore_library_kernel, library, nullptr, size_t{4});
    fails_saying(CUCORE_INVALID_ARGUMENT, "name", cucore_library_kernel, library, "", size_t{0});
    fails_saying(CUCORE_INVALID_ARGUMENT, "NUL", cucore_library_kernel, library, "sa\0py", size_t{5});
}

TEST_CASE_METHOD(Clean, "a library lives until its last reference, and kernels are such") {
    Library library = load(make(cucore_device_open, 0));
    Kernel kernel = find(library);
    int32_t destroyed = -1;
    ok(cucore_library_close, library.give(), &destroyed);
    CHECK(destroyed == 0);
    ok(cucore_kernel_close, kernel.give(), &destroyed);
    CHECK(destroyed == 1);
}

TEST_CASE_METHOD(Clean, "a library keeps the object code it was loaded from") {
    ObjectCode code = ptx(SAXPY_PTX);
    cucore_object_code *address = code;
    const Library library = make(cucore_library_load, make(cucore_device_open, 0), code);
    code.reset();
    CHECK(ObjectCode(cucore_library_code(library)).get() == address);
    CHECK(cucore_library_code(nullptr) == nullptr);
}

TEST_CASE_METHOD(Clean, "a library's kernels are counted and listed") {
    const Library library = load(make(cucore_device_open, 0), SEVERAL_PTX);
    size_t count = 77;
    ok(cucore_library_kernel_count, library, &count);
    CHECK(count == 2);
    using Names = std::vector<std::string>;
    CHECK(kernel_names(library, 5, 2) == Names{"first", "second"});
    CHECK(kernel_names(library, 2, 2) == Names{"first", "second"});
    CHECK(kernel_names(library, 1, 2).size() == 1);
    CHECK(kernel_names(library, 0, 2).empty());
    fails_saying(CUCORE_INVALID_ARGUMENT, "kernels is NULL", cucore_library_kernels, library, nullptr, size_t{1}, &count);
    fails_saying(CUCORE_INVALID_ARGUMENT, "total is NULL", cucore_library_kernels, library, nullptr, size_t{0}, nullptr);
    fails_saying(CUCORE_INVALID_ARGUMENT, "count is NULL", cucore_library_kernel_count, library, nullptr);
}

TEST_CASE_METHOD(Clean, "listed kernels know their parameters and keep their library") {
    Library library = load(make(cucore_device_open, 0), SEVERAL_PTX);
    cucore_kernel *kernels[2];
    size_t total = 0;
    ok(cucore_library_kernels, library, kernels, size_t{2}, &total);
    library.reset();
    size_t sum = 0;
    for (cucore_kernel *raw_kernel : kernels) {
        const Kernel kernel(raw_kernel);
        size_t count = 0;
        ok(cucore_kernel_parameter_count, kernel, &count);
        sum += count;
    }
    CHECK(sum == 1);
}

TEST_CASE_METHOD(Clean, "where a handle of one kernel fails there is none", "[sim]") {
    const Library library = load(make(cucore_device_open, 0), SEVERAL_PTX);
    for (const auto &[function, nth] :
         {std::pair("cuKernelGetName", 2), {"cuKernelGetParamInfo", 3}, {"cuLibraryEnumerateKernels", 1}}) {
        cucore_kernel *kernels[2] = {nullptr, nullptr};
        size_t total = 77;
        sim().fail(function, static_cast<uint64_t>(nth), INJECTED, 0);
        const Facts facts = fails(cucore_library_kernels, library, kernels, size_t{2}, &total);
        CHECK(facts.operation == function);
        CHECK((kernels[0] == nullptr && kernels[1] == nullptr && total == 77));
    }
    cucore_kernel *kernels[2] = {nullptr, nullptr};
    size_t total = 77;
    sim().fail_after("cuLibraryGetKernelCount", 1, INJECTED, 0); // which then has stored a number
    fails(cucore_library_kernels, library, kernels, size_t{2}, &total);
    CHECK((kernels[0] == nullptr && kernels[1] == nullptr && total == 77));
}

TEST_CASE_METHOD(Clean, "a library's variables are found by name") {
    const Device device = make(cucore_device_open, 0);
    const Library library = load(device, SEVERAL_PTX);
    const Global table = global(library, "table"), counter = global(library, "counter");
    CHECK(table.size == 16);
    CHECK(counter.size == 4);
    CHECK((table.address != 0 && counter.address != 0 && table.address != counter.address));
    CHECK(global(library, "table").address == table.address);
}

TEST_CASE_METHOD(Clean, "there is no variable of another name") {
    const Library library = load(make(cucore_device_open, 0), SEVERAL_PTX);
    Global found;
    for (const std::string &name : {std::string("nope"), std::string(1000, 'x')}) {
        const Facts facts = fails(cucore_library_global, library, name.data(), name.size(), &found.address, &found.size);
        INFO(describe(facts));
        CHECK(facts.code == CUCORE_NOT_FOUND);
        CHECK(facts.note(CUCORE_NOTE_CAUSE, "the variable's name is \"" + name + "\"") != nullptr);
    }
    CHECK((found.address == 77 && found.size == 77));
    const auto refused = [&](const std::string &part, const char *name, size_t size, uint64_t *address, size_t *bytes) {
        fails_saying(CUCORE_INVALID_ARGUMENT, part, cucore_library_global, library, name, size, address, bytes);
    };
    refused("name is NULL", nullptr, 5, &found.address, &found.size);
    refused("name is empty", "", 0, &found.address, &found.size);
    refused("NUL", "ta\0le", 5, &found.address, &found.size);
    refused("address is NULL", "table", 5, nullptr, &found.size);
    refused("size is NULL", "table", 5, &found.address, nullptr);
}

TEST_CASE_METHOD(Clean, "kernels and variables have names of any length") {
    const std::string name(400, 'n');
    const std::string code = ".version 7.0\n.target sm_52\n.address_size 64\n.visible .global .align 4 .u32 v" + name +
                             ";\n.visible .entry k" + name + "()\n{\n    ret;\n}\n";
    const Library library = load(make(cucore_device_open, 0), code);
    CHECK(cucore_kernel_name(find(library, "k" + name), nullptr) == "k" + name);
    CHECK(global(library, "v" + name).size == 4);
}
