/// A command line that cannot be understood: usage on standard error, exit code 2.
struct UsageError: Error {
    let problem: String
    init(_ problem: String) { self.problem = problem }
}

enum Usage {
    /// As `Main` knows them; for "did you mean".
    static let commands = [
        "run", "check", "explain", "login", "status", "demo", "profiles", "reference", "version", "help",
    ]

    static let text = """
        usage: countersign COMMAND

          run CONFIG [--pin-now SECONDS] [--pin-nonce TEXT]
              Runs the gateway. SIGHUP reloads the config, SIGUSR1 opens log files anew, SIGTERM drains and stops.
              The pins fix time and nonce of signatures: for tests only.
          check CONFIG [--json] [--live]
              Says what is wrong with a config file. Exit code 0: nothing, 1: something.
              --live also logs in to every session once.
          explain CONFIG METHOD URL [--header "NAME: VALUE"]... [--data BODY]
                  [--session NAME=VALUE]... [--now SECONDS] [--nonce TEXT] [--json] [--show-secrets]
                  [--answer FILE [--answer-status "NUMBER WORDS"] [--answer-header "NAME: VALUE"]...]
              Shows what would become of one request: route, edits, signature, final request.
              With --answer also what its tests and its envelope make of that answer.
              Nothing is sent. Secrets are masked; --show-secrets works on a terminal only.
              Exit code 1: the request would be refused.
          explain CONFIG --login SESSION [--session NAME=VALUE]... [--now SECONDS] [--nonce TEXT]
                  [--json] [--show-secrets] [--answer FILE [--answer-status "NUMBER WORDS"]
                  [--answer-header "NAME: VALUE"]... [--step NAME]]
              Shows each request that the session would log in and refresh with, in the same way.
              With --answer also what the step makes of that answer; --step says which step, of several.
          login CONFIG SESSION [--answer TEXT] [--admin ADDRESS]
              Logs in once, in earnest, and says what came of it. Exit code 0: logged in, 1: not.
              A session that needs a person is logged in inside the running gateway (at the config's
              admin address): what to do is printed, and an answer is read from the terminal.
          status [--admin ADDRESS]
              Asks a running gateway how it is (default 127.0.0.1:9180).
              Exit code 0: ok, 1: degraded or down, 3: not reachable.
          demo [--listen ADDRESS] [--allow-remote] [--sign-key KEY] [--user NAME] [--password PASSWORD]
              Runs a small shop to try everything against.
          profiles [NAME]
              Lists the dialects that come along, or prints the file of one.
          reference keys | limits | errors | functions | metrics | profiles | schema
              Prints a reference page of the manual (Markdown), or the JSON schema of the config.
          version
              Prints the version.
          help
              Prints this.

        """
}
