import Foundation

/// Grams of seed for each gram of bird and day.
let appetite = 0.12

public typealias Song = [Note]

/// Something with feathers.
///
/// - Note: Birds without a name are wild.
public protocol Bird: AnyObject {
    associatedtype Egg
    var weight: Double { get }
    func sing(to listener: String) -> Song
    init(weight: Double)
}

public enum Note: String, CaseIterable {
    case low, high
    case trill = "tr"

    static let longest = 4

    var isLoud: Bool {
        self == .high
    }
}

extension Bird {
    var ration: Double { weight * appetite }

    func greet() -> Song {
        return sing(to: "everyone") + [.low]
    }
}
