// SPDX-License-Identifier: MIT OR Apache-2.0
// Made by scripts/bindings.

use super::{dispose, no_text, refuse};
use crate::bindings::*;
use core::ffi::{c_char, c_void};
use core::ptr;

/// Functions for C, each with what it does. What some need of their callers is what C's headers say.
macro_rules! stand_ins {
    ($(fn $name:ident($($parameter:ident: $type:ty),*) $(-> $result:ty)? { $($body:tt)* })*) => {
        $(
            #[no_mangle]
            #[allow(unused_variables, unused_unsafe)]
            unsafe extern "C" fn $name($($parameter: $type),*) $(-> $result)? {
                // SAFETY: the caller's promises to C.
                unsafe { $($body)* }
            }
        )*
    };
}

stand_ins! {
    fn cucore_callback_enter(status: *mut *mut cucore_status) -> i32 { refuse(status) }
    fn cucore_callback_leave() {}
    fn cucore_deferred_drain(status: *mut *mut cucore_status) -> i32 { refuse(status) }
    fn cucore_compiler_version(compiler: i32, major: *mut i32, minor: *mut i32, status: *mut *mut cucore_status) -> i32 {
        refuse(status)
    }
    fn cucore_compiler_path(compiler: i32, size: *mut usize) -> *const c_char { no_text(size) }
    fn cucore_compiler_use_library(compiler: i32, path: *const c_char, size: usize, status: *mut *mut cucore_status) -> i32 {
        refuse(status)
    }
    fn cucore_compiler_use_wheels(root: *const c_char, size: usize, status: *mut *mut cucore_status) -> i32 { refuse(status) }
    fn cucore_context_from_raw(raw: *mut CUctx_st, ownership: i32, owner: *mut c_void, drop: cucore_drop_function,
        status: *mut *mut cucore_status) -> *mut cucore_context {
        dispose(drop, owner); refuse(status); ptr::null_mut()
    }
    fn cucore_context_current(current: *mut *mut cucore_context, status: *mut *mut cucore_status) -> i32 { refuse(status) }
    fn cucore_context_retain(context: *mut cucore_context) -> *mut cucore_context { ptr::null_mut() }
    fn cucore_context_release(context: *mut cucore_context) {}
    fn cucore_context_close(context: *mut cucore_context, destroyed: *mut i32, status: *mut *mut cucore_status) -> i32 {
        refuse(status)
    }
    fn cucore_context_raw(context: *const cucore_context) -> *mut CUctx_st { ptr::null_mut() }
    fn cucore_context_ordinal(context: *const cucore_context) -> i32 { 0 }
    fn cucore_context_synchronize(context: *mut cucore_context, status: *mut *mut cucore_status) -> i32 { refuse(status) }
    fn cucore_context_set_current(context: *mut cucore_context, previous: *mut *mut cucore_context,
        status: *mut *mut cucore_status) -> i32 {
        refuse(status)
    }
    fn cucore_context_run(context: *mut cucore_context, function: cucore_context_function, user_data: *mut c_void,
        drop: cucore_drop_function, result: *mut i32, status: *mut *mut cucore_status) -> i32 {
        dispose(drop, user_data); refuse(status)
    }
    fn cucore_context_release_primary(ordinal: i32, status: *mut *mut cucore_status) -> i32 { refuse(status) }
    fn cucore_device_count(count: *mut i32, status: *mut *mut cucore_status) -> i32 { refuse(status) }
    fn cucore_device_open(ordinal: i32, status: *mut *mut cucore_status) -> *mut cucore_device { refuse(status); ptr::null_mut() }
    fn cucore_device_open_all(devices: *mut *mut cucore_device, capacity: usize, total: *mut usize,
        status: *mut *mut cucore_status) -> i32 {
        refuse(status)
    }
    fn cucore_device_with_context(context: *mut cucore_context, status: *mut *mut cucore_status) -> *mut cucore_device {
        refuse(status); ptr::null_mut()
    }
    fn cucore_device_current(current: *mut *mut cucore_device, status: *mut *mut cucore_status) -> i32 { refuse(status) }
    fn cucore_device_retain(device: *mut cucore_device) -> *mut cucore_device { ptr::null_mut() }
    fn cucore_device_release(device: *mut cucore_device) {}
    fn cucore_device_close(device: *mut cucore_device, destroyed: *mut i32, status: *mut *mut cucore_status) -> i32 {
        refuse(status)
    }
    fn cucore_device_ordinal(device: *const cucore_device) -> i32 { 0 }
    fn cucore_device_raw(device: *const cucore_device) -> i32 { 0 }
    fn cucore_device_name(device: *const cucore_device, size: *mut usize) -> *const c_char { no_text(size) }
    fn cucore_device_arch(device: *const cucore_device, size: *mut usize) -> *const c_char { no_text(size) }
    fn cucore_device_uuid(device: *const cucore_device) -> *const u8 { ptr::null() }
    fn cucore_device_pci_bus_id(device: *const cucore_device, size: *mut usize) -> *const c_char { no_text(size) }
    fn cucore_device_compute_capability(device: *const cucore_device) -> i32 { 0 }
    fn cucore_device_attribute(device: *const cucore_device, attribute: i32, value: *mut i32,
        status: *mut *mut cucore_status) -> i32 {
        refuse(status)
    }
    fn cucore_device_can_access_peer(device: *const cucore_device, peer: *const cucore_device, can: *mut i32,
        status: *mut *mut cucore_status) -> i32 {
        refuse(status)
    }
    fn cucore_device_memory_info(device: *mut cucore_device, available: *mut u64, total: *mut u64,
        status: *mut *mut cucore_status) -> i32 {
        refuse(status)
    }
    fn cucore_device_stream_priority_range(device: *mut cucore_device, lowest: *mut i32, highest: *mut i32,
        status: *mut *mut cucore_status) -> i32 {
        refuse(status)
    }
    fn cucore_device_synchronize(device: *mut cucore_device, status: *mut *mut cucore_status) -> i32 { refuse(status) }
    fn cucore_device_set_current(device: *mut cucore_device, previous: *mut *mut cucore_context,
        status: *mut *mut cucore_status) -> i32 {
        refuse(status)
    }
    fn cucore_device_context(device: *mut cucore_device, status: *mut *mut cucore_status) -> *mut cucore_context {
        refuse(status); ptr::null_mut()
    }
    fn cucore_driver_is_available() -> i32 { 0 }
    fn cucore_driver_version(version: *mut i32, status: *mut *mut cucore_status) -> i32 { refuse(status) }
    fn cucore_driver_path(size: *mut usize) -> *const c_char { no_text(size) }
    fn cucore_driver_use_library(path: *const c_char, size: usize, status: *mut *mut cucore_status) -> i32 { refuse(status) }
    fn cucore_driver_use_entry(entry: cucore_driver_entry, status: *mut *mut cucore_status) -> i32 { refuse(status) }
    fn cucore_event_create(device: *mut cucore_device, options: *const cucore_event_options,
        status: *mut *mut cucore_status) -> *mut cucore_event {
        refuse(status); ptr::null_mut()
    }
    fn cucore_event_retain(event: *mut cucore_event) -> *mut cucore_event { ptr::null_mut() }
    fn cucore_event_release(event: *mut cucore_event) {}
    fn cucore_event_close(event: *mut cucore_event, destroyed: *mut i32, status: *mut *mut cucore_status) -> i32 { refuse(status) }
    fn cucore_event_raw(event: *const cucore_event) -> *mut CUevent_st { ptr::null_mut() }
    fn cucore_event_device(event: *const cucore_event) -> *mut cucore_device { ptr::null_mut() }
    fn cucore_event_context(event: *const cucore_event) -> *mut cucore_context { ptr::null_mut() }
    fn cucore_event_has_timing(event: *const cucore_event) -> i32 { 0 }
    fn cucore_event_is_blocking_sync(event: *const cucore_event) -> i32 { 0 }
    fn cucore_event_record(event: *mut cucore_event, stream: *mut cucore_stream, status: *mut *mut cucore_status) -> i32 {
        refuse(status)
    }
    fn cucore_event_is_done(event: *mut cucore_event, done: *mut i32, status: *mut *mut cucore_status) -> i32 { refuse(status) }
    fn cucore_event_synchronize(event: *mut cucore_event, status: *mut *mut cucore_status) -> i32 { refuse(status) }
    fn cucore_event_elapsed(start: *mut cucore_event, end: *mut cucore_event, milliseconds: *mut f32,
        status: *mut *mut cucore_status) -> i32 {
        refuse(status)
    }
    fn cucore_kernel_retain(kernel: *mut cucore_kernel) -> *mut cucore_kernel { ptr::null_mut() }
    fn cucore_kernel_release(kernel: *mut cucore_kernel) {}
    fn cucore_kernel_close(kernel: *mut cucore_kernel, destroyed: *mut i32, status: *mut *mut cucore_status) -> i32 {
        refuse(status)
    }
    fn cucore_kernel_raw(kernel: *const cucore_kernel) -> *mut CUkern_st { ptr::null_mut() }
    fn cucore_kernel_name(kernel: *const cucore_kernel, size: *mut usize) -> *const c_char { no_text(size) }
    fn cucore_kernel_library(kernel: *const cucore_kernel) -> *mut cucore_library { ptr::null_mut() }
    fn cucore_kernel_parameter_count(kernel: *const cucore_kernel, count: *mut usize, status: *mut *mut cucore_status) -> i32 {
        refuse(status)
    }
    fn cucore_kernel_parameter_size(kernel: *const cucore_kernel, index: usize, size: *mut usize,
        status: *mut *mut cucore_status) -> i32 {
        refuse(status)
    }
    fn cucore_kernel_parameter_offset(kernel: *const cucore_kernel, index: usize, offset: *mut usize,
        status: *mut *mut cucore_status) -> i32 {
        refuse(status)
    }
    fn cucore_kernel_attribute(kernel: *mut cucore_kernel, attribute: i32, device: *mut cucore_device, value: *mut i32,
        status: *mut *mut cucore_status) -> i32 {
        refuse(status)
    }
    fn cucore_kernel_set_attribute(kernel: *mut cucore_kernel, attribute: i32, device: *mut cucore_device, value: i32,
        status: *mut *mut cucore_status) -> i32 {
        refuse(status)
    }
    fn cucore_kernel_launch(kernel: *mut cucore_kernel, stream: *mut cucore_stream, options: *const cucore_launch_options,
        arguments: *const cucore_argument, count: usize, status: *mut *mut cucore_status) -> i32 {
        refuse(status)
    }
    fn cucore_library_load(device: *mut cucore_device, code: *mut cucore_object_code,
        status: *mut *mut cucore_status) -> *mut cucore_library {
        refuse(status); ptr::null_mut()
    }
    fn cucore_library_retain(library: *mut cucore_library) -> *mut cucore_library { ptr::null_mut() }
    fn cucore_library_release(library: *mut cucore_library) {}
    fn cucore_library_close(library: *mut cucore_library, destroyed: *mut i32, status: *mut *mut cucore_status) -> i32 {
        refuse(status)
    }
    fn cucore_library_raw(library: *const cucore_library) -> *mut CUlib_st { ptr::null_mut() }
    fn cucore_library_device(library: *const cucore_library) -> *mut cucore_device { ptr::null_mut() }
    fn cucore_library_code(library: *const cucore_library) -> *mut cucore_object_code { ptr::null_mut() }
    fn cucore_library_kernel_count(library: *mut cucore_library, count: *mut usize, status: *mut *mut cucore_status) -> i32 {
        refuse(status)
    }
    fn cucore_library_kernels(library: *mut cucore_library, kernels: *mut *mut cucore_kernel, capacity: usize,
        total: *mut usize, status: *mut *mut cucore_status) -> i32 {
        refuse(status)
    }
    fn cucore_library_global(library: *mut cucore_library, name: *const c_char, name_size: usize, address: *mut u64,
        size: *mut usize, status: *mut *mut cucore_status) -> i32 {
        refuse(status)
    }
    fn cucore_library_kernel(library: *mut cucore_library, name: *const c_char, size: usize,
        status: *mut *mut cucore_status) -> *mut cucore_kernel {
        refuse(status); ptr::null_mut()
    }
    fn cucore_linker_create(device: *mut cucore_device, inputs: *const *mut cucore_object_code, count: usize,
        options: *const cucore_linker_options, status: *mut *mut cucore_status) -> *mut cucore_linker {
        refuse(status); ptr::null_mut()
    }
    fn cucore_linker_retain(linker: *mut cucore_linker) -> *mut cucore_linker { ptr::null_mut() }
    fn cucore_linker_release(linker: *mut cucore_linker) {}
    fn cucore_linker_close(linker: *mut cucore_linker, destroyed: *mut i32, status: *mut *mut cucore_status) -> i32 {
        refuse(status)
    }
    fn cucore_linker_kind(linker: *const cucore_linker) -> i32 { 0 }
    fn cucore_linker_error_log(linker: *const cucore_linker, size: *mut usize) -> *const c_char { no_text(size) }
    fn cucore_linker_info_log(linker: *const cucore_linker, size: *mut usize) -> *const c_char { no_text(size) }
    fn cucore_linker_link(linker: *mut cucore_linker, status: *mut *mut cucore_status) -> *mut cucore_object_code {
        refuse(status); ptr::null_mut()
    }
    fn cucore_live_list_enable() {}
    fn cucore_live_list_create(status: *mut *mut cucore_status) -> *mut cucore_live_list { refuse(status); ptr::null_mut() }
    fn cucore_live_list_count(list: *const cucore_live_list) -> usize { 0 }
    fn cucore_live_list_type(list: *const cucore_live_list, index: usize, size: *mut usize) -> *const c_char { no_text(size) }
    fn cucore_live_list_function(list: *const cucore_live_list, index: usize, size: *mut usize) -> *const c_char { no_text(size) }
    fn cucore_live_list_references(list: *const cucore_live_list, index: usize) -> u32 { 0 }
    fn cucore_live_list_text(list: *const cucore_live_list, size: *mut usize) -> *const c_char { no_text(size) }
    fn cucore_live_list_release(list: *mut cucore_live_list) {}
    fn cucore_memory_resource_device_pool(device: *mut cucore_device,
        status: *mut *mut cucore_status) -> *mut cucore_memory_resource {
        refuse(status); ptr::null_mut()
    }
    fn cucore_memory_resource_create_pool(device: *mut cucore_device, options: *const cucore_memory_pool_options,
        status: *mut *mut cucore_status) -> *mut cucore_memory_resource {
        refuse(status); ptr::null_mut()
    }
    fn cucore_memory_resource_create_pinned_pool(device: *mut cucore_device, options: *const cucore_memory_pool_options,
        status: *mut *mut cucore_status) -> *mut cucore_memory_resource {
        refuse(status); ptr::null_mut()
    }
    fn cucore_memory_resource_pinned(device: *mut cucore_device, status: *mut *mut cucore_status) -> *mut cucore_memory_resource {
        refuse(status); ptr::null_mut()
    }
    fn cucore_memory_resource_retain(resource: *mut cucore_memory_resource) -> *mut cucore_memory_resource { ptr::null_mut() }
    fn cucore_memory_resource_release(resource: *mut cucore_memory_resource) {}
    fn cucore_memory_resource_close(resource: *mut cucore_memory_resource, destroyed: *mut i32,
        status: *mut *mut cucore_status) -> i32 {
        refuse(status)
    }
    fn cucore_memory_resource_raw(resource: *const cucore_memory_resource) -> *mut CUmemPoolHandle_st { ptr::null_mut() }
    fn cucore_memory_resource_device(resource: *const cucore_memory_resource) -> *mut cucore_device { ptr::null_mut() }
    fn cucore_memory_resource_is_host_accessible(resource: *const cucore_memory_resource) -> i32 { 0 }
    fn cucore_memory_resource_attribute(resource: *mut cucore_memory_resource, attribute: i32, value: *mut u64,
        status: *mut *mut cucore_status) -> i32 {
        refuse(status)
    }
    fn cucore_memory_resource_set_attribute(resource: *mut cucore_memory_resource, attribute: i32, value: u64,
        status: *mut *mut cucore_status) -> i32 {
        refuse(status)
    }
    fn cucore_memory_resource_trim(resource: *mut cucore_memory_resource, keep: usize, status: *mut *mut cucore_status) -> i32 {
        refuse(status)
    }
    fn cucore_memory_resource_allocate(resource: *mut cucore_memory_resource, size: usize, stream: *mut cucore_stream,
        status: *mut *mut cucore_status) -> *mut cucore_buffer {
        refuse(status); ptr::null_mut()
    }
    fn cucore_buffer_retain(buffer: *mut cucore_buffer) -> *mut cucore_buffer { ptr::null_mut() }
    fn cucore_buffer_release(buffer: *mut cucore_buffer) {}
    fn cucore_buffer_close(buffer: *mut cucore_buffer, destroyed: *mut i32, status: *mut *mut cucore_status) -> i32 {
        refuse(status)
    }
    fn cucore_buffer_raw(buffer: *const cucore_buffer) -> u64 { 0 }
    fn cucore_buffer_size(buffer: *const cucore_buffer) -> usize { 0 }
    fn cucore_buffer_host_pointer(buffer: *const cucore_buffer) -> *mut c_void { ptr::null_mut() }
    fn cucore_buffer_device(buffer: *const cucore_buffer) -> *mut cucore_device { ptr::null_mut() }
    fn cucore_buffer_resource(buffer: *const cucore_buffer) -> *mut cucore_memory_resource { ptr::null_mut() }
    fn cucore_buffer_stream(buffer: *const cucore_buffer) -> *mut cucore_stream { ptr::null_mut() }
    fn cucore_buffer_note_use(buffer: *mut cucore_buffer, stream: *mut cucore_stream, status: *mut *mut cucore_status) -> i32 {
        refuse(status)
    }
    fn cucore_buffer_synchronize(buffer: *mut cucore_buffer, status: *mut *mut cucore_status) -> i32 { refuse(status) }
    fn cucore_buffer_copy(destination: *mut cucore_buffer, destination_offset: usize, source: *mut cucore_buffer,
        source_offset: usize, size: usize, stream: *mut cucore_stream, status: *mut *mut cucore_status) -> i32 {
        refuse(status)
    }
    fn cucore_buffer_copy_from_host(buffer: *mut cucore_buffer, offset: usize, source: *const c_void, size: usize,
        stream: *mut cucore_stream, status: *mut *mut cucore_status) -> i32 {
        refuse(status)
    }
    fn cucore_buffer_copy_to_host(buffer: *mut cucore_buffer, offset: usize, destination: *mut c_void, size: usize,
        stream: *mut cucore_stream, status: *mut *mut cucore_status) -> i32 {
        refuse(status)
    }
    fn cucore_buffer_copy_from_host_unchecked(buffer: *mut cucore_buffer, offset: usize, source: *const c_void, size: usize,
        stream: *mut cucore_stream, status: *mut *mut cucore_status) -> i32 {
        refuse(status)
    }
    fn cucore_buffer_copy_to_host_unchecked(buffer: *mut cucore_buffer, offset: usize, destination: *mut c_void, size: usize,
        stream: *mut cucore_stream, status: *mut *mut cucore_status) -> i32 {
        refuse(status)
    }
    fn cucore_buffer_fill(buffer: *mut cucore_buffer, offset: usize, size: usize, pattern: u32, pattern_size: u32,
        stream: *mut cucore_stream, status: *mut *mut cucore_status) -> i32 {
        refuse(status)
    }
    fn cucore_object_code_create(kind: i32, data: *const c_void, size: usize, name: *const c_char, name_size: usize,
        status: *mut *mut cucore_status) -> *mut cucore_object_code {
        refuse(status); ptr::null_mut()
    }
    fn cucore_object_code_retain(code: *mut cucore_object_code) -> *mut cucore_object_code { ptr::null_mut() }
    fn cucore_object_code_release(code: *mut cucore_object_code) {}
    fn cucore_object_code_close(code: *mut cucore_object_code, destroyed: *mut i32, status: *mut *mut cucore_status) -> i32 {
        refuse(status)
    }
    fn cucore_object_code_kind(code: *const cucore_object_code) -> i32 { 0 }
    fn cucore_object_code_raw(code: *const cucore_object_code, size: *mut usize) -> *const c_char { no_text(size) }
    fn cucore_object_code_name(code: *const cucore_object_code, size: *mut usize) -> *const c_char { no_text(size) }
    fn cucore_object_code_lowered_name(code: *const cucore_object_code, name: *const c_char, size: usize,
        lowered_size: *mut usize) -> *const c_char {
        no_text(lowered_size)
    }
    fn cucore_object_code_log(code: *const cucore_object_code, size: *mut usize) -> *const c_char { no_text(size) }
    fn cucore_program_create(device: *mut cucore_device, source: *const c_char, size: usize,
        options: *const cucore_program_options, status: *mut *mut cucore_status) -> *mut cucore_program {
        refuse(status); ptr::null_mut()
    }
    fn cucore_program_retain(program: *mut cucore_program) -> *mut cucore_program { ptr::null_mut() }
    fn cucore_program_release(program: *mut cucore_program) {}
    fn cucore_program_close(program: *mut cucore_program, destroyed: *mut i32, status: *mut *mut cucore_status) -> i32 {
        refuse(status)
    }
    fn cucore_program_raw(program: *const cucore_program) -> *mut c_void { ptr::null_mut() }
    fn cucore_program_compile(program: *mut cucore_program, kind: i32,
        status: *mut *mut cucore_status) -> *mut cucore_object_code {
        refuse(status); ptr::null_mut()
    }
    fn cucore_stream_create(device: *mut cucore_device, options: *const cucore_stream_options,
        status: *mut *mut cucore_status) -> *mut cucore_stream {
        refuse(status); ptr::null_mut()
    }
    fn cucore_stream_default(device: *mut cucore_device, status: *mut *mut cucore_status) -> *mut cucore_stream {
        refuse(status); ptr::null_mut()
    }
    fn cucore_stream_from_raw(device: *mut cucore_device, raw: *mut CUstream_st, ownership: i32, owner: *mut c_void,
        drop: cucore_drop_function, status: *mut *mut cucore_status) -> *mut cucore_stream {
        dispose(drop, owner); refuse(status); ptr::null_mut()
    }
    fn cucore_stream_retain(stream: *mut cucore_stream) -> *mut cucore_stream { ptr::null_mut() }
    fn cucore_stream_release(stream: *mut cucore_stream) {}
    fn cucore_stream_close(stream: *mut cucore_stream, destroyed: *mut i32, status: *mut *mut cucore_status) -> i32 {
        refuse(status)
    }
    fn cucore_stream_raw(stream: *const cucore_stream) -> *mut CUstream_st { ptr::null_mut() }
    fn cucore_stream_device(stream: *const cucore_stream) -> *mut cucore_device { ptr::null_mut() }
    fn cucore_stream_context(stream: *const cucore_stream) -> *mut cucore_context { ptr::null_mut() }
    fn cucore_stream_priority(stream: *mut cucore_stream, priority: *mut i32, status: *mut *mut cucore_status) -> i32 {
        refuse(status)
    }
    fn cucore_stream_flags(stream: *mut cucore_stream, flags: *mut u32, status: *mut *mut cucore_status) -> i32 { refuse(status) }
    fn cucore_stream_id(stream: *mut cucore_stream, id: *mut u64, status: *mut *mut cucore_status) -> i32 { refuse(status) }
    fn cucore_stream_is_capturing(stream: *mut cucore_stream, capturing: *mut i32, status: *mut *mut cucore_status) -> i32 {
        refuse(status)
    }
    fn cucore_stream_is_done(stream: *mut cucore_stream, done: *mut i32, status: *mut *mut cucore_status) -> i32 { refuse(status) }
    fn cucore_stream_synchronize(stream: *mut cucore_stream, status: *mut *mut cucore_status) -> i32 { refuse(status) }
    fn cucore_stream_wait_stream(stream: *mut cucore_stream, awaited: *mut cucore_stream,
        status: *mut *mut cucore_status) -> i32 {
        refuse(status)
    }
    fn cucore_stream_wait_event(stream: *mut cucore_stream, event: *mut cucore_event, status: *mut *mut cucore_status) -> i32 {
        refuse(status)
    }
    fn cucore_stream_add_callback(stream: *mut cucore_stream, function: cucore_stream_function, user_data: *mut c_void,
        drop: cucore_drop_function, status: *mut *mut cucore_status) -> i32 {
        dispose(drop, user_data); refuse(status)
    }
    fn cucore_warning_sink_register(function: cucore_warning_function, user_data: *mut c_void, drop: cucore_drop_function,
        status: *mut *mut cucore_status) -> *mut cucore_warning_sink {
        dispose(drop, user_data); refuse(status); ptr::null_mut()
    }
    fn cucore_warning_sink_release(sink: *mut cucore_warning_sink) {}
    fn cucore_warning_queue_create(capacity: usize, status: *mut *mut cucore_status) -> *mut cucore_warning_queue {
        refuse(status); ptr::null_mut()
    }
    fn cucore_warning_queue_poll(queue: *mut cucore_warning_queue) -> *mut cucore_status { ptr::null_mut() }
    fn cucore_warning_queue_lost(queue: *mut cucore_warning_queue) -> u64 { 0 }
    fn cucore_warning_queue_release(queue: *mut cucore_warning_queue) {}
}
