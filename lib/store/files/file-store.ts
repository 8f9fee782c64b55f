/**
 * Where the bytes of files are. The database has them (`ChunkedFiles`); a store of objects elsewhere can take over, with the
 * ids as its keys. Which files there are, whose and of which type, the table `files` says in either case: bytes without a
 * row there belong to no file.
 */
export interface FileStore {
  /** Stores the bytes of a new file. Rejects when some of them are not stored. */
  put(id: string, bytes: Uint8Array): Promise<void>
  /** The bytes of a file from the first on, piece by piece. */
  read(id: string): AsyncIterable<Uint8Array>
}
