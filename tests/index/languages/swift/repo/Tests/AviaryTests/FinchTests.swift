import XCTest
@testable import Aviary

final class FinchTests: XCTestCase {
    func testHatching() {
        let finch = Finch.hatch(from: .init(speckles: 12))
        XCTAssertEqual(finch.greet().count, 5)
    }
}
