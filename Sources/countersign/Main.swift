@main
struct Main {
    nonisolated static func main() {}
}
