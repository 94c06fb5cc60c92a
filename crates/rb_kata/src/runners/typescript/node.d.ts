// What tests use of Node.js, so that they compile without packages from elsewhere.

declare module "node:test" {
  type Body = (context: unknown) => void | Promise<void>;
  type Suite = () => void;
  export function test(name: string, body: Body): Promise<void>;
  export function it(name: string, body: Body): Promise<void>;
  export function describe(name: string, body: Suite): Promise<void>;
  export function suite(name: string, body: Suite): Promise<void>;
  export function before(body: Body): void;
  export function after(body: Body): void;
  export function beforeEach(body: Body): void;
  export function afterEach(body: Body): void;
  export default test;
}

declare module "node:assert/strict" {
  type Expected = RegExp | Error | object | ((error: unknown) => boolean);
  interface Assert {
    (value: unknown, message?: string): asserts value;
    ok(value: unknown, message?: string): asserts value;
    equal(actual: unknown, expected: unknown, message?: string): void;
    notEqual(actual: unknown, expected: unknown, message?: string): void;
    strictEqual(actual: unknown, expected: unknown, message?: string): void;
    notStrictEqual(actual: unknown, expected: unknown, message?: string): void;
    deepEqual(actual: unknown, expected: unknown, message?: string): void;
    notDeepEqual(actual: unknown, expected: unknown, message?: string): void;
    deepStrictEqual(actual: unknown, expected: unknown, message?: string): void;
    match(text: string, pattern: RegExp, message?: string): void;
    doesNotMatch(text: string, pattern: RegExp, message?: string): void;
    throws(body: () => unknown, expected?: Expected, message?: string): void;
    doesNotThrow(body: () => unknown, message?: string): void;
    rejects(body: Promise<unknown> | (() => Promise<unknown>), expected?: Expected): Promise<void>;
    fail(message?: string): never;
  }
  const assert: Assert;
  export default assert;
}

declare const console: {
  log(...values: unknown[]): void;
  error(...values: unknown[]): void;
};
