// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which handles are alive. One test, since all tests of a process share its handles.

mod common;

use common::{device, simulator};
use cucore::{assert_no_live_handles, callback, ErrorKind, Event, LiveHandle, LiveList, Stream};
use std::panic::catch_unwind;

fn message_of(panic: Box<dyn std::any::Any + Send>) -> String {
    *panic.downcast::<String>().expect("a formatted message")
}

#[test]
fn what_is_alive_is_listed_with_what_made_it() {
    let _simulator = simulator();
    let before = Event::new(&device()).unwrap();
    let off = LiveList::new().unwrap_err();
    assert_eq!(off.kind(), ErrorKind::InvalidState);
    assert!(message_of(catch_unwind(assert_no_live_handles).unwrap_err()).contains("cucore_live_list_enable"));

    LiveList::enable();
    let device = device();
    let stream = Stream::new(&device).unwrap();
    let list = LiveList::new().unwrap();
    let streams: Vec<_> = list.iter().filter(|handle| handle.handle_type == "stream").collect();
    assert_eq!(streams, [LiveHandle { handle_type: "stream", function: "cucore_stream_create", references: 1 }]);
    assert!(list.iter().all(|handle| handle.handle_type != "event"), "{list}");

    let message = message_of(catch_unwind(assert_no_live_handles).unwrap_err());
    assert!(message.ends_with("stream, made by cucore_stream_create, 1 reference\n"), "{message}");

    drop(device);
    let inside = callback::enter().unwrap();
    drop(stream);
    drop(inside);
    assert_no_live_handles();
    drop(before);
    assert_eq!(list.iter().count(), list.len(), "a list does not change");
}
