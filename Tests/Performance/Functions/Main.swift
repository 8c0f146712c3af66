/// Does one piece of work so many times and prints its last result, for functions.py, which measures this process from
/// outside: `FunctionBench WORK COUNT CONFIG INPUT`.
@main
enum Main {
    static func main() {
        let words = CommandLine.arguments
        guard words.count == 5, let count = Int(words[2]), count > 0, let work = Work(words[1], config: words[3]) else {
            print("usage: FunctionBench signature|signature_php|expiry|sigv4 COUNT CONFIG INPUT")
            return
        }
        let input = Array(words[4].utf8)
        var result: [UInt8] = []
        for _ in 0..<count { result = work.run(input) }
        print(String(decoding: result, as: UTF8.self))
    }
}
