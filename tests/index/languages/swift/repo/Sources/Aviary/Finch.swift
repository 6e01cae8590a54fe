import Foundation

open class Songbird: Bird {
    public typealias Egg = SmallEgg

    public struct SmallEgg {
        let speckles: Int
    }

    public let weight: Double
    private(set) var songs: [Song] = []

    public required init(weight: Double) {
        self.weight = weight
    }

    public func sing(to listener: String) -> Song {
        func repeated(_ note: Note) -> Song {
            Array(repeating: note, count: Note.longest)
        }
        let song = repeated(.trill)
        remember(song)
        return song
    }

    func remember(_ song: Song) {
        songs.append(song)
    }

    subscript(index: Int) -> Song { songs[index] }
}

@available(macOS 13, *)
final class Finch: Songbird {
    required init(weight: Double) {
        super.init(weight: min(weight, 30))
    }

    deinit {
        // TODO: tell the keeper
    }
}

extension Finch: Comparable {
    static func < (left: Finch, right: Finch) -> Bool { left.weight < right.weight }

    static func == (left: Finch, right: Finch) -> Bool { left.weight == right.weight }

    static func hatch(from egg: SmallEgg) -> Finch { Finch(weight: Double(egg.speckles)) }
}
