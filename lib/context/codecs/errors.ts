/** A value inside a fragment that cannot be written as JSON and read back: a function, a Map, a cycle… */
export class UnserializableFragmentError extends Error {
  override readonly name = 'UnserializableFragmentError'

  constructor(
    /** Where the value stands, `$.data[0].size`. */
    readonly path: string,
    /** What it is, in words. */
    readonly reason: string,
  ) {
    super(`Cannot serialize the fragment: ${reason} at ${path}`)
  }
}

/** Serialised text that `serializeFragment` did not write: edited by hand, cut off, or from a newer version. */
export class InvalidSerializedFragmentError extends Error {
  override readonly name = 'InvalidSerializedFragmentError'

  constructor(
    /** Where it went wrong, `$.data[0]`. */
    readonly path: string,
    /** What was expected there. */
    readonly reason: string,
  ) {
    super(`Invalid serialized fragment at ${path}: ${reason}`)
  }
}
