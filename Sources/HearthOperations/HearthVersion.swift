/// The version of this program.
package enum HearthVersion {
  package static let text = "0.1.0"
}
