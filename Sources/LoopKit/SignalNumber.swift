import Glibc

/// Signals by what they ask for; the numbers are the platform's.
package enum SignalNumber {
    package static let terminate = SIGTERM
    package static let interrupt = SIGINT
    package static let hangUp = SIGHUP
    package static let userOne = SIGUSR1
    package static let quit = SIGQUIT
}
