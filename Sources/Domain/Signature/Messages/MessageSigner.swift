import Bytes
package import Cryptography
package import Expressions

/// HTTP message signatures, RFC 9421 (`signatures.NAME.http_message_signature`).
package struct MessageSigner: RequestSigner {
    package enum Algorithm: String, Sendable, CaseIterable {
        case hmacSHA256 = "hmac-sha256"
        case rsaPSS = "rsa-pss-sha512"
        case rsaPKCS1 = "rsa-v1_5-sha256"
        case p256 = "ecdsa-p256-sha256"
        case p384 = "ecdsa-p384-sha384"
        case ed25519

        /// `nil`: a shared secret.
        package var scheme: SignatureScheme? {
            switch self {
            case .hmacSHA256: nil
            case .rsaPSS: .rsaPSS(.sha512)
            case .rsaPKCS1: .rsaPKCS1(.sha256)
            case .p256: .ecdsa(.sha256, .raw)
            case .p384: .ecdsa(.sha384, .raw)
            case .ed25519: .ed25519
            }
        }
    }

    package var label = Array("sig1".utf8)
    package var algorithm: Algorithm
    /// Key file's text (PEM, JWK, base 64), or the bytes of a shared secret.
    package var key: Template
    package var components: [MessageComponent]
    /// In the order in which they are written.
    package var parameters: [NamedTemplate]

    /// A client's own signatures under other labels are sent beside ours (RFC 9421 4.3).
    package var keepsClients = false

    package init(algorithm: Algorithm, key: Template, components: [MessageComponent], parameters: [NamedTemplate]) {
        self.algorithm = algorithm
        self.key = key
        self.components = components
        self.parameters = parameters
    }

    package var body: BodyNeed {
        components.contains { $0.identifier == Array("\"content-length\"".utf8) } ? .length : .nothing
    }
    package var owned: [OwnedName] {
        keepsClients ? [] : [OwnedName(.header, "Signature-Input"), OwnedName(.header, "Signature")]
    }

    package func sign(_ draft: RequestDraft, _ scope: ExchangeScope, recipe: String) throws(GatewayError) {
        try refuseLabelTwice(draft, recipe)
        let input = try signatureInput(scope, recipe)
        let base = try signatureBase(draft, input: input, recipe)
        let secret = try key.text(scope, recipe, "key")
        let raw = try signature(over: base, secret, recipe)
        let text = Base64.encode(raw.span)
        scope.noteSigned(recipe, signature: text, [("signature base", base)])
        draft.fields.append(name: Array("Signature-Input".utf8), value: label + [0x3D] + input)
        draft.fields.append(name: Array("Signature".utf8), value: label + [0x3D, 0x3A] + text + [0x3A])
    }

    /// A label names one signature; what a client sends under ours must not be taken for it, nor the other way round.
    private func refuseLabelTwice(_ draft: RequestDraft, _ recipe: String) throws(GatewayError) {
        for name in ["Signature-Input", "Signature"] {
            let wanted = Array(name.utf8)
            for index in 0..<draft.fields.count
            where ASCII.equalFolded(draft.fields.name(at: index).span, wanted.span) {
                guard let members = StructuredReader.dictionary(Array(draft.fields.value(at: index))) else {
                    throw GatewayError.badRequest("\(recipe): the request's \(name) field cannot be read")
                }
                guard !members.contains(where: { $0.key == label }) else {
                    let text = String(decoding: label, as: UTF8.self)
                    throw GatewayError.badRequest("\(recipe): the request has a signature labelled \(text) already")
                }
            }
        }
    }

    /// `("@method" "@path");created=1;keyid="a"`.
    package func signatureInput(_ scope: ExchangeScope, _ recipe: String) throws(GatewayError) -> [UInt8] {
        var output: [UInt8] = [0x28]
        for index in components.indices {
            if index > 0 { output.append(0x20) }
            output.append(contentsOf: components[index].identifier)
        }
        output.append(0x29)
        for parameter in parameters {
            let name = String(decoding: parameter.name, as: UTF8.self)
            let value: Value
            do {
                value = try parameter.value.evaluate(scope)
            } catch {
                throw GatewayError.recipe("\(recipe), parameter \(name)", error, using: parameter.value.references)
            }
            output.append(0x3B)
            output.append(contentsOf: parameter.name)
            output.append(0x3D)
            guard Self.append(value, isTime: name == "created" || name == "expires", to: &output) else {
                throw GatewayError.recipe(
                    "\(recipe), parameter \(name): not a number or printable text", using: parameter.value.references)
            }
        }
        return output
    }

    /// A bare item (RFC 9651 4.1.3): times and numbers as integers, all else as a string.
    private static func append(_ value: Value, isTime: Bool, to output: inout [UInt8]) -> Bool {
        var text: [UInt8] = []
        value.appendText(to: &text)
        let isNumber = value.int != nil || isTime
        if isNumber {
            let digits = text.first == 0x2D ? text.dropFirst() : text[...]
            guard !digits.isEmpty, digits.count <= 15, digits.allSatisfy(ASCII.isDigit) else { return false }
            output.append(contentsOf: text)
            return true
        }
        output.append(0x22)
        for byte in text {
            guard byte >= 0x20, byte < 0x7F else { return false }
            if byte == 0x22 || byte == 0x5C { output.append(0x5C) }
            output.append(byte)
        }
        output.append(0x22)
        return true
    }

    /// What is signed.
    package func signatureBase(
        _ draft: RequestDraft, input: [UInt8], _ recipe: String
    ) throws(GatewayError) -> [UInt8] {
        var output: [UInt8] = []
        for component in components {
            output.append(contentsOf: component.identifier)
            output.append(contentsOf: [0x3A, 0x20])
            do throws(MessageComponentError) {
                output.append(contentsOf: try component.value(draft))
            } catch {
                let name = String(decoding: component.identifier, as: UTF8.self)
                throw GatewayError.badRequest("\(recipe), component \(name): \(error.text)")
            }
            output.append(0x0A)
        }
        output.append(contentsOf: "\"@signature-params\": ".utf8)
        output.append(contentsOf: input)
        return output
    }

    private func signature(over base: [UInt8], _ key: [UInt8], _ recipe: String) throws(GatewayError) -> [UInt8] {
        guard let scheme = algorithm.scheme else {
            return HMAC.authenticate(.sha256, key: key.span, message: base.span)
        }
        return try SigningKey.sign(base, key, scheme, recipe)
    }
}

/// Signing with a key that came out of a template; parsed keys are kept.
enum SigningKey {
    static func sign(
        _ message: [UInt8], _ key: [UInt8], _ scheme: SignatureScheme, _ recipe: String
    ) throws(GatewayError) -> [UInt8] {
        let parsed: PrivateKey
        do throws(EvaluationError) {
            parsed = try KeyCache.shared.privateKey(key[...])
        } catch {
            throw GatewayError.recipe("\(recipe), key: \(error)")
        }
        do throws(CryptographyError) {
            return try parsed.sign(message.span, scheme)
        } catch {
            throw GatewayError.recipe("\(recipe), key: \(error)")
        }
    }
}
