/**
 * Stores the bytes of files. The database does so (`ChunkedFiles`); an external object store can take over,
 * with the ids as its keys. The table `files` lists the files, their owners and types in either case: bytes
 * without a row there belong to no file.
 */
export interface FileStore {
  /** Stores the bytes of a new file. Rejects when some bytes are not stored. */
  put(id: string, bytes: Uint8Array): Promise<void>
  /** The bytes of a file from the first on, piece by piece. */
  read(id: string): AsyncIterable<Uint8Array>
}
