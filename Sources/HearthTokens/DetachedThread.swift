#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Runs the body on a thread of its own, or here where there can be none. Foundation's `Thread`
/// would bring all of Foundation into the binary.
package func detachThread(_ body: @escaping @Sendable () -> Void) {
  let argument = Unmanaged.passRetained(ThreadBody(body)).toOpaque()
  #if canImport(Darwin)
    var thread: pthread_t?
    let status = pthread_create(&thread, nil, { run($0) }, argument)
    if let thread { pthread_detach(thread) }
  #else
    var thread = pthread_t()
    let status = pthread_create(&thread, nil, { run($0) }, argument)
    if status == 0 { pthread_detach(thread) }
  #endif
  if status != 0 { _ = run(argument) }
}

private final class ThreadBody: Sendable {
  let run: @Sendable () -> Void

  init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}

/// Takes the body over.
private func run(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  if let argument { Unmanaged<ThreadBody>.fromOpaque(argument).takeRetainedValue().run() }
  return nil
}
