/// A command line that cannot be understood: usage on standard error, exit code 2.
struct UsageError: Error {
    let problem: String
    init(_ problem: String) { self.problem = problem }
}

enum Usage {
    static let text = """
        usage: countersign COMMAND

          run CONFIG [--pin-now SECONDS] [--pin-nonce TEXT]
              Runs the gateway. SIGHUP reloads the config, SIGTERM drains and stops.
              The pins fix time and nonce of signatures: for tests only.
          check CONFIG [--json]
              Says what is wrong with a config file. Exit code 0: nothing, 1: something.
          explain CONFIG METHOD URL [--header "NAME: VALUE"]... [--data BODY]
                  [--session NAME=VALUE]... [--now SECONDS] [--nonce TEXT] [--json] [--show-secrets]
              Shows what would become of one request: route, edits, signature, final request.
              Nothing is sent. Secrets are masked.
          demo [--listen ADDRESS] [--sign-key KEY] [--user NAME] [--password PASSWORD]
              Runs a small shop to try everything against.
          keys | limits | errors | functions
              Prints the reference pages of the manual.
          version
              Prints the version.

        """
}
