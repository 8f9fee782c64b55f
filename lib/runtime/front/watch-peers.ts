import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { rawProblem } from './problem-text.ts'

/** Time limits of a peer, in milliseconds unless stated otherwise. */
export interface PeerLimits {
  /** from connecting, or from the first byte of a next request, to the end of the headers */
  headersMs: number
  /** from the first byte of a request to the last of its body */
  requestMs: number
  /** after which a body must have arrived at `bytesPerSecond` on average; also the longest pause in a body */
  bodyGraceMs: number
  /** between two requests on one connection, as announced to the peer */
  idleMs: number
  /** for how much longer it is kept: a request sent at the last moment, or by a peer that was held up, still arrives */
  idleGraceMs: number
  /** in which a peer must read waiting bytes at `bytesPerSecond` on average */
  unreadMs: number
  bytesPerSecond: number
  /** between two checks of all connections */
  checkMs: number
  /** requests on one connection that wait for their answers */
  pipelined: number
}

/** Limits for the public internet: seconds for work that takes milliseconds on a slow phone. */
export const defaultPeerLimits: PeerLimits = {
  headersMs: 8_000,
  requestMs: 120_000,
  bodyGraceMs: 8_000,
  idleMs: 15_000,
  idleGraceMs: 5_000,
  unreadMs: 60_000,
  bytesPerSecond: 1_000,
  checkMs: 1_000,
  pipelined: 16,
}

/** A connection at the last check. */
interface Peer {
  /** for how long bytes have waited to be read, and how many were read when that began */
  taken: number
  unreadMs: number
  /** the request whose body is still coming */
  incoming?: Incoming
  /** requests without an answer */
  waiting: Set<IncomingMessage>
}

interface Incoming {
  request: IncomingMessage
  response: ServerResponse
  /** bytes of the connection when the body began, and at the last look */
  from: number
  read: number
  elapsedMs: number
  stillMs: number
}

/**
 * Ends connections that Node's own limits miss: a body that arrives too slowly, and an answer that is not read. Time in
 * which the server itself did not run, or did not read, does not count.
 */
export class PeerWatch {
  readonly #peers = new Map<Socket, Peer>()
  readonly #limits: PeerLimits
  #last = performance.now()

  /** Watches every connection of `server` until it closes. */
  constructor(server: Server, limits: PeerLimits) {
    this.#limits = limits
    server.on('connection', (socket: Socket) => {
      const waiting = new Set<IncomingMessage>()
      this.#peers.set(socket, { taken: 0, unreadMs: 0, waiting })
      socket.once('close', () => {
        this.#peers.delete(socket)
        // Node tells requests that their client has left. When the framework has replaced a body by a copy,
        // the listeners of the request are gone, and an unheard error would end the process.
        for (const request of waiting) request.on('error', () => undefined)
      })
    })
    const timer = setInterval(() => this.#look(), limits.checkMs)
    timer.unref()
    server.once('close', () => clearInterval(timer))
  }

  /** Notes a request; false when its connection has too many that wait for their answers. */
  began(request: IncomingMessage, response: ServerResponse): boolean {
    const { socket } = request
    const peer = this.#peers.get(socket)
    if (!peer) return true
    peer.waiting.add(request)
    response.once('close', () => peer.waiting.delete(request))
    if (peer.waiting.size > this.#limits.pipelined) return false
    if (!request.complete) {
      const { bytesRead } = socket
      peer.incoming = { request, response, from: bytesRead, read: bytesRead, elapsedMs: 0, stillMs: 0 }
      response.once('finish', () => this.#takeRest(request, socket))
    }
    return true
  }

  /**
   * Discards the rest of a body after its answer, for a while: the next request on this connection is behind
   * it. An end at once would take the answer from a peer that still sends.
   */
  #takeRest(request: IncomingMessage, socket: Socket): void {
    if (request.complete) return
    // given up by its reader: nothing can be read any more
    if (request.destroyed) socket.destroySoon()
    // such a listener would keep waiting for its reader, or keep its reader waiting
    else request.unpipe().removeAllListeners('readable').removeAllListeners('data').resume()
    const end = () => request.complete || socket.destroy()
    setTimeout(end, this.#limits.bodyGraceMs).unref()
  }

  #look(): void {
    const now = performance.now()
    // a blocked server has not read the bytes that arrived meanwhile
    const elapsed = Math.min(now - this.#last, 2 * this.#limits.checkMs)
    this.#last = now
    for (const [socket, peer] of this.#peers) {
      if (this.#isUnread(socket, peer, elapsed)) socket.destroy()
      else if (peer.incoming && this.#isSlow(socket, peer.incoming, elapsed)) endSlow(socket, peer.incoming)
      if (peer.incoming?.request.complete) delete peer.incoming
    }
  }

  #isUnread(socket: Socket, peer: Peer, elapsed: number): boolean {
    const { unreadMs, bytesPerSecond } = this.#limits
    const taken = socket.bytesWritten - socket.writableLength
    peer.unreadMs = socket.writableLength === 0 ? 0 : peer.unreadMs + elapsed
    const over = peer.unreadMs >= unreadMs
    const unread = over && taken - peer.taken < (unreadMs / 1000) * bytesPerSecond
    if (over || peer.unreadMs === 0) Object.assign(peer, { taken, unreadMs: 0 })
    return unread
  }

  #isSlow(socket: Socket, incoming: Incoming, elapsed: number): boolean {
    const { request } = incoming
    if (request.complete || request.destroyed) return false
    // full: the request waits for its reader, not for the peer
    if (request.readableLength >= request.readableHighWaterMark) return false
    incoming.elapsedMs += elapsed
    incoming.stillMs = socket.bytesRead === incoming.read ? incoming.stillMs + elapsed : 0
    incoming.read = socket.bytesRead
    const { bodyGraceMs, bytesPerSecond } = this.#limits
    const wanted = ((incoming.elapsedMs - bodyGraceMs) / 1000) * bytesPerSecond
    return incoming.stillMs >= bodyGraceMs || socket.bytesRead - incoming.from < wanted
  }
}

function endSlow(socket: Socket, { response }: Incoming): void {
  if (!response.headersSent && socket.writable) socket.write(rawProblem(slowBody))
  // the request ends with the connection, and its reader gets an error
  socket.destroySoon()
}

const slowBody = { status: 408, code: 'request_timeout', detail: 'The body came too slowly.' }
