// SPDX-License-Identifier: MIT OR Apache-2.0
#include "faults.hpp"

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <dlfcn.h>
#include <functional>
#include <link.h>
#include <mutex>
#include <pthread.h>
#include <stdexcept>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>

extern "C" {
int __cxa_atexit(void (*function)(void *), void *argument, void *library);
int __register_atfork(void (*prepare)(), void (*parent)(), void (*child)(), void *library);
}

namespace test {

namespace {

std::atomic<const char *> failing{""}; // the function counted; NULL: those that allocate
std::atomic<uint64_t> calls{0};
std::atomic<uint64_t> failures{0};
std::atomic<uint64_t> first{0};
std::atomic<bool> all_after{false};
std::atomic<void (*)()> after_failure{nullptr};

thread_local BeforeLibraryCall *awaiting = nullptr;

void see(const char *function) {
    if (awaiting != nullptr) {
        awaiting->see(function);
    }
}

bool fails_now(const char *function, bool allocates) {
    see(function);
    const char *wanted = failing;
    if (wanted == nullptr ? !allocates : std::strcmp(wanted, function) != 0) {
        return false;
    }
    const uint64_t number = ++calls;
    const bool fails = first != 0 && (number == first || (all_after && number > first));
    if (fails) {
        failures++;
        if (void (*action)() = after_failure) {
            action();
        }
    }
    return fails;
}

void *failing_malloc(size_t size) {
    return fails_now("malloc", true) ? (errno = ENOMEM, nullptr) : std::malloc(size);
}

void *failing_calloc(size_t count, size_t size) {
    return fails_now("calloc", true) ? (errno = ENOMEM, nullptr) : std::calloc(count, size);
}

void *failing_realloc(void *memory, size_t size) {
    return fails_now("realloc", true) ? (errno = ENOMEM, nullptr) : std::realloc(memory, size);
}

void *failing_dlopen(const char *file, int mode) {
    return fails_now("dlopen", false) ? nullptr : dlopen(file, mode);
}

void *failing_dlsym(void *library, const char *symbol) {
    return fails_now("dlsym", false) ? nullptr : dlsym(library, symbol);
}

int failing_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument) {
    return fails_now("pthread_create", false) ? EAGAIN : pthread_create(thread, attributes, start, argument);
}

int failing_nanosleep(const struct timespec *time, struct timespec *left) {
    return fails_now("nanosleep", false) ? (errno = EINTR, -1) : nanosleep(time, left);
}

int failing_dladdr1(const void *address, Dl_info *info, void **extra, int flags) {
    return fails_now("dladdr1", false) ? 0 : dladdr1(address, info, extra, flags);
}

/// What atexit and pthread_atfork call, which are part of each library.
int failing_cxa_atexit(void (*function)(void *), void *argument, void *library) {
    return fails_now("atexit", false) ? -1 : __cxa_atexit(function, argument, library);
}

int failing_register_atfork(void (*prepare)(), void (*parent)(), void (*child)(), void *library) {
    return fails_now("pthread_atfork", false) ? ENOMEM : __register_atfork(prepare, parent, child, library);
}

int failing_pthread_attr_init(pthread_attr_t *attributes) {
    return fails_now("pthread_attr_init", false) ? ENOMEM : pthread_attr_init(attributes);
}

int watched_mutex_lock(pthread_mutex_t *mutex) {
    see("pthread_mutex_lock");
    return pthread_mutex_lock(mutex);
}

int watched_mutex_unlock(pthread_mutex_t *mutex) {
    see("pthread_mutex_unlock");
    return pthread_mutex_unlock(mutex);
}

std::mutex kept_mutex;
bool keeps = false;
std::vector<void *> kept;

void keeping_free(void *memory) {
    const std::lock_guard<std::mutex> lock(kept_mutex);
    if (keeps) {
        kept.push_back(memory);
    } else {
        std::free(memory);
    }
}

void keep_memory(bool on) {
    const std::lock_guard<std::mutex> lock(kept_mutex);
    keeps = on;
    for (void *memory : std::exchange(kept, {})) {
        std::free(memory);
    }
}

struct Patch {
    const char *name;
    void *replacement;
};

const Patch patches[] = {
    {"malloc", reinterpret_cast<void *>(&failing_malloc)},
    {"calloc", reinterpret_cast<void *>(&failing_calloc)},
    {"realloc", reinterpret_cast<void *>(&failing_realloc)},
    {"dlopen", reinterpret_cast<void *>(&failing_dlopen)},
    {"dlsym", reinterpret_cast<void *>(&failing_dlsym)},
    {"pthread_create", reinterpret_cast<void *>(&failing_pthread_create)},
    {"free", reinterpret_cast<void *>(&keeping_free)},
    {"pthread_mutex_lock", reinterpret_cast<void *>(&watched_mutex_lock)},
    {"pthread_mutex_unlock", reinterpret_cast<void *>(&watched_mutex_unlock)},
    {"nanosleep", reinterpret_cast<void *>(&failing_nanosleep)},
    {"pthread_attr_init", reinterpret_cast<void *>(&failing_pthread_attr_init)},
    {"dladdr1", reinterpret_cast<void *>(&failing_dladdr1)},
    {"__cxa_atexit", reinterpret_cast<void *>(&failing_cxa_atexit)},
    {"__register_atfork", reinterpret_cast<void *>(&failing_register_atfork)},
};

/// The parts of a loaded library's dynamic section that lead to its slots.
struct Dynamic {
    const ElfW(Sym) * symbols;
    const char *names;
    const ElfW(Rela) * tables[2]; // .rela.dyn and .rela.plt
    size_t sizes[2];
};

Dynamic dynamic_of(const ElfW(Dyn) * entry) {
    Dynamic found{};
    for (; entry->d_tag != DT_NULL; entry++) {
        switch (entry->d_tag) {
        case DT_SYMTAB:
            found.symbols = reinterpret_cast<const ElfW(Sym) *>(entry->d_un.d_ptr);
            break;
        case DT_STRTAB:
            found.names = reinterpret_cast<const char *>(entry->d_un.d_ptr);
            break;
        case DT_RELA:
            found.tables[0] = reinterpret_cast<const ElfW(Rela) *>(entry->d_un.d_ptr);
            break;
        case DT_RELASZ:
            found.sizes[0] = entry->d_un.d_val;
            break;
        case DT_JMPREL:
            found.tables[1] = reinterpret_cast<const ElfW(Rela) *>(entry->d_un.d_ptr);
            break;
        case DT_PLTRELSZ:
            found.sizes[1] = entry->d_un.d_val;
            break;
        default:
            break;
        }
    }
    return found;
}

/// Whether a relocation fills a slot with a symbol's address.
bool is_slot(const ElfW(Rela) & relocation) {
#if defined(__x86_64__)
    const auto type = ELF64_R_TYPE(relocation.r_info);
    return type == R_X86_64_JUMP_SLOT || type == R_X86_64_GLOB_DAT;
#elif defined(__aarch64__)
    const auto type = ELF64_R_TYPE(relocation.r_info);
    return type == R_AARCH64_JUMP_SLOT || type == R_AARCH64_GLOB_DAT;
#endif
}

/// Full RELRO leaves the table read-only, so its page is made writable first.
void write_slot(void **slot, void *value) {
    const auto page = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
    void *start = reinterpret_cast<void *>(reinterpret_cast<uintptr_t>(slot) & ~(page - 1));
    if (mprotect(start, page, PROT_READ | PROT_WRITE) != 0) {
        throw std::runtime_error("cannot make the library's offset table writable");
    }
    *slot = value;
}

/// What is done with a slot: the name of the symbol that it leads to, and where it is.
using Visit = std::function<void(const std::string &name, void **slot)>;

void visit_slots(const dl_phdr_info &library, const ElfW(Dyn) * entries, const Visit &visit) {
    const Dynamic dynamic = dynamic_of(entries);
    for (int table = 0; table < 2; table++) {
        const size_t count = dynamic.sizes[table] / sizeof(ElfW(Rela));
        for (size_t index = 0; index < count; index++) {
            const ElfW(Rela) &relocation = dynamic.tables[table][index];
            if (is_slot(relocation)) {
                visit(dynamic.names + dynamic.symbols[ELF64_R_SYM(relocation.r_info)].st_name,
                      reinterpret_cast<void **>(library.dlpi_addr + relocation.r_offset));
            }
        }
    }
}

int visit_if_ours(dl_phdr_info *library, size_t, void *visit) {
    if (std::strstr(library->dlpi_name, "libcucore.so") == nullptr) {
        return 0;
    }
    for (int index = 0; index < library->dlpi_phnum; index++) {
        const ElfW(Phdr) &header = library->dlpi_phdr[index];
        if (header.p_type == PT_DYNAMIC) {
            const auto *entries = reinterpret_cast<const ElfW(Dyn) *>(library->dlpi_addr + header.p_vaddr);
            visit_slots(*library, entries, *static_cast<const Visit *>(visit));
        }
    }
    return 1;
}

void visit_library(Visit visit) {
    dl_iterate_phdr(&visit_if_ours, &visit);
}

size_t patch_slots() {
    size_t patched = 0;
    visit_library([&](const std::string &name, void **slot) {
        for (const Patch &wanted : patches) {
            if (name == wanted.name) {
                write_slot(slot, wanted.replacement);
                patched++;
            }
        }
    });
    return patched;
}

} // namespace

void patch_library() {
    static const size_t patched = patch_slots();
    if (patched == 0) {
        throw std::runtime_error("libcucore.so.1 has no slots to patch");
    }
}

BeforeLibraryCall::BeforeLibraryCall(const char *function, std::function<void()> action)
    : function_(function), action_(std::move(action)) {
    patch_library();
    awaiting = this;
}

BeforeLibraryCall::~BeforeLibraryCall() {
    awaiting = nullptr;
}

void BeforeLibraryCall::see(const std::string &function) {
    if (function == function_) {
        awaiting = nullptr;
        action_();
    }
}

KeptMemory::KeptMemory() {
    patch_library();
    keep_memory(true);
}

KeptMemory::~KeptMemory() {
    keep_memory(false);
}

std::vector<std::string> library_imports() {
    std::vector<std::string> names;
    visit_library([&](const std::string &name, void **) { names.push_back(name); });
    return names;
}

void fail_library_call(const char *function, uint64_t nth, bool sticky) {
    patch_library();
    failing = function;
    calls = 0;
    failures = 0;
    all_after = sticky;
    after_failure = nullptr;
    first = nth;
}

void after_library_failure(void (*action)()) {
    after_failure = action;
}

void fail_no_library_call() {
    first = 0;
    failing = "";
}

uint64_t library_calls() {
    return calls;
}

uint64_t library_failures() {
    return failures;
}

} // namespace test
