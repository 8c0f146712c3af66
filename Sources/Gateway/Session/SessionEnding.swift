import Domain
import LoopKit

/// The end of a session at the upstream (`logout`): servers with few seats keep a session that nobody ended for hours.
/// `SessionFarewells` says when.
final class SessionEnding {
    /// A server that does not answer must not hold up the end of the process.
    static let longest: UInt64 = 5_000_000_000

    private unowned let book: SessionBook
    private unowned let worker: Worker
    /// Exchanges that may carry the credential of a session that a reload has dropped.
    private var out: Set<UInt64> = []
    private var flight: LoginFlight?
    private var onEnd: (() -> Void)?
    private lazy var timer = worker.loop.timer { [weak self] in self?.end() }
    private(set) var isSent = false

    init(book: SessionBook, worker: Worker) {
        self.book = book
        self.worker = worker
    }

    /// Somebody may still need the session.
    var isAwaited: Bool { !out.isEmpty || book.isLoggingIn }

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
        worker.loop.atEndOfTick { [worker, book] in worker.farewells.checkOut(book) }
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
