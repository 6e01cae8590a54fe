// swift-tools-version: 5.9
import PackageDescription

let package = Package(
    name: "Aviary",
    targets: [
        .target(name: "Aviary"),
        .testTarget(name: "AviaryTests", dependencies: ["Aviary"]),
    ]
)
