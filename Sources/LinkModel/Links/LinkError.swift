/// Why a link cannot come up, has died, or does not do what it is asked to: an error of its backend's own.
package protocol LinkError: Error, CustomStringConvertible {}
