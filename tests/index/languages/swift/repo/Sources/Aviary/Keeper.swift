/** Feeds the birds, one at a time. */
public actor Keeper {
    private var finches: [Finch] = []

    func adopt(_ egg: Songbird.SmallEgg) async throws -> Finch {
        let finch = Finch.hatch(from: egg)
        finches.append(finch)
        self.feed(finch)
        return finch
    }

    func feed(_ finch: Finch) {
        finch.remember(finch.greet())
    }

    nonisolated func count(of songs: [Song]?) -> Int {
        songs?.map { $0.count }.reduce(0, +) ?? 0
    }
}

func opening(with keeper: Keeper) async {
    _ = try? await keeper.adopt(Songbird.SmallEgg(speckles: 3))
}
