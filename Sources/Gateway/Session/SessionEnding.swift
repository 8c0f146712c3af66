import Domain
import LoopKit

/// The end of a session at the upstream (`logout`): servers with few seats keep a session that nobody ended for hours.
/// `SessionFarewells` says when.
final class SessionEnding {
    /// A server that does not answer must not hold up the end of the process.
    static let longest: UInt64 = 5_000_000_000

    private unowned let book: SessionBook
    private unowned let worker: Worker
    /// Exchanges that may carry the credential of a session that a reload has dropped, or a login replaced.
    private var out: Set<UInt64> = []
    /// The logout of a session that a login has replaced; `nil`: the book's own ends.
    private let replaced: LoginRun?
    private let onReplaced: (SessionEnding) -> Void
    private var flight: LoginFlight?
    private var onEnd: (() -> Void)?
    private lazy var timer = worker.loop.timer { [weak self] in self?.end() }
    private(set) var isSent = false

    init(book: SessionBook, worker: Worker) {
        self.book = book
        self.worker = worker
        (replaced, onReplaced) = (nil, { _ in })
    }

    /// - Parameters:
    ///   - run: The logout.
    ///   - out: Exchanges that may carry the replaced credential.
    ///   - onEnd: Called once, when the logout is over.
    init(
        book: SessionBook, worker: Worker, replaced run: LoginRun, out: [UInt64],
        onEnd: @escaping (SessionEnding) -> Void
    ) {
        self.book = book
        self.worker = worker
        (replaced, onReplaced) = (run, onEnd)
        self.out = Set(out)
        check()
    }

    /// Somebody may still need the session.
    var isAwaited: Bool { !out.isEmpty || replaced == nil && book.isLoggingIn }

    /// A reload has dropped the session.
    func retire() {
        out = Set(worker.exchanges(of: book).map(\.id))
        check()
    }

    /// An exchange of the dropped session is over.
    func ended(_ id: UInt64) {
        if out.remove(id) != nil { check() }
    }

    /// Perhaps it was the last one who needed it.
    func check() {
        guard !isAwaited else { return }
        // Not from inside the exchange that ends. The book lives until then.
        worker.loop.atEndOfTick { [self, worker, book] in
            guard let replaced else { return worker.farewells.checkOut(book) }
            if !isSent { endReplaced(replaced) }
        }
    }

    private func endReplaced(_ run: LoginRun) {
        worker.farewells.begun()
        send(run) { [self, worker] in
            worker.farewells.ended()
            onReplaced(self)
        }
    }

    /// `done` is called once.
    func send(_ run: LoginRun, _ done: @escaping () -> Void) {
        isSent = true
        onEnd = done
        // It keeps the book, and with it this, until it is over.
        let flight = LoginFlight(number: 0, book: book, run: run, worker: worker) { [self] _, result in
            worker.sessionLeft(book, result)
            self.flight = nil
            end()
        }
        self.flight = flight
        timer.arm(after: Self.longest)
        flight.begin()
    }

    private func end() {
        timer.cancel()
        flight?.cancel()
        flight = nil
        onEnd.take()?()
    }
}
