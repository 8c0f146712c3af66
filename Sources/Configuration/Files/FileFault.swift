/// Why a file was not read.
enum FileFault: Error, Equatable {
    case missing, notPermitted, isLink, notRegular, tooLarge, unreadable

    var problem: String {
        switch self {
        case .missing: "no such file"
        case .notPermitted: "permission denied"
        case .isLink: "is a symbolic link"
        case .notRegular: "is not a regular file"
        case .tooLarge: "is too large"
        case .unreadable: "cannot be read"
        }
    }
}
