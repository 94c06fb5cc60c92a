import Foundation
@testable import struct A.B
/// Doc.
@objc(X) public final class S<T: P & Q>: Base, C where T.E == Int {
    @Published private(set) var x: Int? = nil { didSet { f() } }
    static let max = 3, min = 1
    init?(_ a: inout [String: T], b: @escaping (T) throws -> Void = { _ in }) { super.init() }
    func f<R>(x y: R...) async throws -> some View { guard let z = y.first, z < 1 || x != nil else { return try! await g()!.h }
        switch z { case .a(let v) where v > 1: fallthrough; default: break }
        items.map { $0.x }.filter(\.y) { a, b in a ?? b }
        return "a\(x + "\(y)") \u{fc}" + #"raw"# }
    deinit {} ; subscript(i: Int) -> T { get { t[i] } }
}
extension S: Equatable { static func == (l: S, r: S) -> Bool { true } }
protocol P { associatedtype E; var v: Int { get } }
indirect enum K: String { case a(Int), b = "x" }
struct V { #if DEBUG
  var d: Int
  #endif }
@main struct M { static func main() { for i in 0..<3 where i > 1 { defer {} ; do { try f() } catch { } } } }
