import JSONBytes
import Testing

@testable import Domain

/// Members attached to a client's JSON: right at the root, and inside objects.
@Suite struct JSONPlaceTests {
    private func appending(_ members: [(String, String)], to json: String) throws -> String? {
        JSONText.appending(
            try members.map { (try #require(JSONPlace(bytes($0.0))), bytes($0.1)) }, to: bytes(json)
        ).map { text($0) }
    }

    @Test(arguments: [
        ("{}", #"{"head":{"t":1}}"#), (#"{"head":{}}"#, #"{"head":{"t":1}}"#),
        (#" {"a": 1.50, "head" : { "x": [ ] } } "#, #"{"a": 1.50, "head" : { "x": [ ] ,"t":1} }"#),
        (#"{"head":{"t":0}}"#, #"{"head":{"t":0,"t":1}}"#),
    ])
    func nothingElseIsTouched(_ json: String, _ expected: String) throws {
        #expect(try appending([("/head/t", "1")], to: json) == expected)
    }

    @Test func severalPlaces() throws {
        let members = [("/a/b/c", "1"), ("top", "2"), ("/a/b/d", "3"), ("/a/e~1~0", "4"), ("a.b", "5")]
        #expect(
            try appending(members, to: #"{"a":{"x":0}}"#)
                == #"{"a":{"x":0,"b":{"c":1,"d":3},"e/~":4},"top":2,"a.b":5}"#)
    }

    @Test(arguments: ["[]", "1", #"{"head":1}"#, #"{"head":null}"#, #"{"head":[]}"#, #"{"head":{},"head":{}}"#, "{"])
    func whatHasNoPlaceForItIsRefused(_ json: String) throws {
        #expect(try appending([("/head/t", "1")], to: json) == nil)
    }

    @Test(arguments: [
        (#"{"head" : {"t":1, "x": 1.50},"t":2}"#, #"{"head" : {"x":1.50},"t":2}"#),
        (#"{"head":{"\u0074":1}}"#, #"{"head":{}}"#), (#"{"HEAD" :{"T":1}}"#, #"{"HEAD" :{}}"#),
        (#"{"head":{"t":1}, "Head":{"t":2,"a":3}}"#, #"{"head":{}, "Head":{"a":3}}"#),
    ])
    func ownedMembersGo(_ json: String, _ expected: String) throws {
        let place = try #require(JSONPlace(bytes("/head/t")))
        #expect(JSONText.dropping([place], from: bytes(json)).map { text($0) } == expected)
    }

    @Test(arguments: [#"{"head":{"x":1}}"#, #"{"t":1}"#, #"{"head":[1]}"#, "[1]", "x"])
    func whatIsNotOwnedStays(_ json: String) throws {
        #expect(JSONText.dropping([try #require(JSONPlace(bytes("/head/t")))], from: bytes(json)) == nil)
    }

    @Test(arguments: [
        (#"{"p":[ 1 , {"a":2},[]] ,"q":1.50}"#, #"{"p":[ 1 , "x",[]] ,"q":1.50}"#), (#"{"p":{}}"#, #"{"p":{"1":"x"}}"#),
        (#"{}"#, #"{"p":{"1":"x"}}"#), (#"{"p":[1]}"#, nil), (#"{"p":[]}"#, nil), (#"{"p":1}"#, nil),
    ])
    func anElementTakesThePlaceOfTheClients(_ json: String, _ expected: String?) throws {
        #expect(try appending([("/p/1", #""x""#)], to: json) == expected)
    }

    @Test func elementsAndMembersWithin() throws {
        let members = [("/p/1/t", "1"), ("/p/10", "2"), ("/p/0", "3"), ("/p/2", "4")]
        #expect(try appending(members, to: #"{"p":[0,{"a":[]},{}]}"#) == nil)
        #expect(
            try appending(members, to: #"{"p":[0,{"a":[]},{},3,4,5,6,7,8,9,[10], 11]}"#)
                == #"{"p":[3,{"a":[],"t":1},4,3,4,5,6,7,8,9,2, 11]}"#)
    }

    @Test(arguments: [
        ("/p/1", #"{"p":[0, {"a":1},2]}"#, #"{"p":[0, null,2]}"#), ("/p/1", #"{"p":[0,null]}"#, nil),
        ("/p/1/a", #"{"p":[0, {"a":1,"b":2},2]}"#, #"{"p":[0, {"b":2},2]}"#), ("/p/01", #"{"p":[0,1]}"#, nil),
        ("/p/1", #"{"p":{"1":5,"2":6}}"#, #"{"p":{"2":6}}"#), ("/p/0/0", #"{"p":[[1],[2]]}"#, #"{"p":[[null],[2]]}"#),
    ])
    func anOwnedElementIsEmptied(_ place: String, _ json: String, _ expected: String?) throws {
        let place = try #require(JSONPlace(bytes(place)))
        #expect(JSONText.dropping([place], from: bytes(json)).map { text($0) } == expected)
    }

    @Test func aPlaceIsANameOrAPointer() {
        #expect(JSONPlace(bytes("/a~2")) == nil)
        #expect(JSONPlace(bytes(String(repeating: "/a", count: 40))) == nil)
        #expect(JSONPlace(bytes("/t")) == JSONPlace(bytes("t")))
        #expect(JSONPlace(bytes("a.t")) != JSONPlace(bytes("/a/t")))
    }
}
