/// One end-of-tick action. A struct, because an array of bare closures stores each behind a re-abstraction thunk: a malloc
/// per action and a second call (measured: 3 of 59 mallocs per proxied request).
struct TickAction {
    let run: () -> Void
}
