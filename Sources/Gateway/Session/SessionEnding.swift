import Domain
import LoopKit

/// The end of a session at the upstream (`logout`): servers with few seats keep a session that nobody ended for hours.
/// A session that a reload drops is ended when the last request that may carry its credential is over.
final class SessionEnding {
    /// A server that does not answer must not hold up the end of the process.
    static let longest: UInt64 = 5_000_000_000

    private unowned let book: SessionBook
    private unowned let worker: Worker
    private var out: Set<UInt64> = []
    private var isRetired = false
    private var flight: LoginFlight?
    private var onEnd: (() -> Void)?
    private lazy var timer = worker.loop.timer { [weak self] in self?.end() }
    /// It was sent.
    private(set) var isOver = false

    init(book: SessionBook, worker: Worker) {
        self.book = book
        self.worker = worker
    }

    func began(_ id: UInt64) { out.insert(id) }

    func ended(_ id: UInt64) {
        if out.remove(id) != nil { endDropped() }
    }

    /// A login that was under way when the session was dropped.
    func loggedIn() { endDropped() }

    func retire() {
        isRetired = true
        endDropped()
    }

    private func endDropped() {
        // Not from inside the exchange that ends. The book lives until then.
        guard isRetired, out.isEmpty, book.canLogOut else { return }
        worker.loop.atEndOfTick { [self, book] in
            if out.isEmpty, book.canLogOut { book.logOut {} }
        }
    }

    /// `done` is called once.
    func send(_ run: LoginRun, _ done: @escaping () -> Void) {
        isOver = true
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
