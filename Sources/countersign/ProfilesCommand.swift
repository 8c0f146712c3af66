import Configuration

/// `profiles [NAME]`: the dialects that come along.
enum ProfilesCommand {
    static func run(_ arguments: Arguments) throws(UsageError) -> Int32 {
        var arguments = arguments
        guard !arguments.isEmpty else {
            Output.write(list)
            return 0
        }
        let name = try arguments.positional("the name of a profile")
        try arguments.end()
        guard let profile = BundledProfile.named(name) else {
            let nearest = Suggestion.nearest(to: name, among: BundledProfile.all.map(\.name))
            Output.error("there is no profile \(name)\(nearest.map { "; did you mean \($0)?" } ?? "")\n")
            return 1
        }
        Output.write(profile.text)
        return 0
    }

    private static var list: String {
        let width = (BundledProfile.all.map(\.name.count).max() ?? 0) + 2
        return BundledProfile.all.map { profile in
            let blanks = String(repeating: " ", count: width - profile.name.count)
            return "\(profile.name)\(blanks)\(profile.facts?.summary ?? "")\n"
        }.joined()
    }
}
