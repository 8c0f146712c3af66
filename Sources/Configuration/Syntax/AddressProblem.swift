/// Why a text is no address or URL.
struct AddressProblem: Error {
    var text: String
    var hint: String?
}
