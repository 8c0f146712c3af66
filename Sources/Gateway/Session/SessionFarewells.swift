import Domain
import LoopKit

/// Sessions that are to be ended at their upstream: those that a reload has dropped, each when the last exchange that may
/// carry its credential is over, and all of them when the process ends.
///
/// A logout must never end a newer session. Where a user has one token, or all sessions of a user end together, that of an
/// old plan would. So logins of newer plans to the same server wait until the old session is gone; not for ever: when
/// exchanges of the old one take long, the new one logs in, and the logout is left out.
final class SessionFarewells {
    /// Longest wait of a login for the exchanges of an old session. Their logout has a limit of its own.
    private static let patience: UInt64 = 2_000_000_000

    private unowned let worker: Worker
    private var leaving: [(book: SessionBook, awaitedUntil: UInt64)] = []
    /// Logins that wait.
    private var held: [(book: SessionBook, begin: () -> Void)] = []
    /// Logouts under way of sessions that a login has replaced.
    private var replaced = 0
    private var onEmpty: (() -> Void)?
    private lazy var timer = worker.loop.timer { [unowned self] in beginHeld() }

    init(_ worker: Worker) { self.worker = worker }

    /// A reload has dropped the session.
    func retired(_ book: SessionBook) {
        leaving.append((book, worker.loop.now &+ Self.patience))
        book.ending.retire()
    }

    /// Nobody needs the dropped session any more.
    func checkOut(_ book: SessionBook) {
        guard leaving.contains(where: { $0.book === book }), !book.ending.isAwaited, !book.ending.isSent else { return }
        send(book)
    }

    /// The process ends: sessions in use say good-bye too. `done` is called once, when the last logout is over.
    func endAll(_ books: [SessionBook], _ done: @escaping () -> Void) {
        onEmpty = done
        let dropped = leaving.map(\.book).filter { !$0.ending.isSent }
        leaving += books.map { ($0, 0) }
        for book in dropped + books { send(book) }
        checkEmpty()
    }

    /// The logout of a replaced session goes out.
    func begun() { replaced += 1 }

    func ended() {
        replaced -= 1
        checkEmpty()
    }

    private func checkEmpty() {
        if leaving.isEmpty, replaced == 0 { onEmpty.take()?() }
    }

    /// Runs `begin` now, or when the older sessions are gone that the login must not come between.
    func before(loginOf book: SessionBook, _ begin: @escaping () -> Void) {
        let now = worker.loop.now
        let older = leaving.filter { ($0.book.ending.isSent || $0.awaitedUntil > now) && $0.book.isOlder(than: book) }
        guard let last = older.map(\.awaitedUntil).max() else { return begin() }
        held.append((book, begin))
        if last > now { timer.arm(after: last - now) }
    }

    private func beginHeld() {
        let waiting = held
        held = []
        for login in waiting { before(loginOf: login.book, login.begin) }
    }

    private func send(_ book: SessionBook) {
        guard book.canLogOut else { return over(book) }
        let others = worker.runtime.sessions + leaving.map(\.book)
        guard !others.contains(where: { book.isOlder(than: $0) && $0.hasBegun }) else {
            worker.logoutLeftOut(book)
            return over(book)
        }
        book.logOut { [self] in over(book) }
    }

    private func over(_ book: SessionBook) {
        leaving.removeAll { $0.book === book }
        beginHeld()
        checkEmpty()
    }
}

extension SessionBook {
    /// Of an older plan, at a server that both have.
    fileprivate func isOlder(than other: SessionBook) -> Bool {
        planNumber < other.planNumber && sharesServer(with: other)
    }
}
