/** How long a peer may take, in milliseconds unless said otherwise. */
export interface PeerLimits {
  /** from connecting, or from the first byte of a next request, to the end of the headers */
  headersMs: number
  /** from the first byte of a request to the last of its body */
  requestMs: number
  /** until a body must have come at `bytesPerSecond` on average; a stop this long is too long at any time */
  bodyGraceMs: number
  /** between two requests on one connection */
  idleMs: number
  /** in which a peer must take what waits to be sent to it at `bytesPerSecond` on average */
  unreadMs: number
  bytesPerSecond: number
  /** between two looks at all connections */
  checkMs: number
  /** requests on one connection that wait for their answers */
  pipelined: number
}

/** Limits for the public internet: seconds for what takes milliseconds on a slow telephone. */
export const defaultPeerLimits: PeerLimits = {
  headersMs: 8_000,
  requestMs: 120_000,
  bodyGraceMs: 8_000,
  idleMs: 15_000,
  unreadMs: 60_000,
  bytesPerSecond: 1_000,
  checkMs: 1_000,
  pipelined: 16,
}
