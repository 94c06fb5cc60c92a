import type { T } from './t'
import legacy = require('legacy')
@dec({ a: 1 })
export abstract class Store<K extends keyof T, V = string> extends Base<K>[] implements I, ns.J {
  private readonly cache = new Map<K, V>()
  constructor(protected x?: number) { super() }
  abstract get(key: K): Promise<V | undefined>
  static of = <A,>(a: A): a is A => a! as any
}
export interface I { (x: number): void; readonly [k: string]: unknown; f?(): this }
declare module 'm' { export function f(a: string): void; export function f(a: any): asserts a }
namespace a.b { export enum E { X = 1 << 2, Y } }
type M<T> = { [P in keyof T]?: T[P] extends (infer U)[] ? U : `k-${string}` }
let v = <const>['a'], w = f<number>(v satisfies M<T>)
