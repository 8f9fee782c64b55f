import { existsSync } from 'node:fs'
import path from 'node:path'
import type { Transaction } from '@electric-sql/pglite'
import { startEmbedded } from '../embedded'
import { lockFolder } from '../folder-lock'
import type { PgliteOptions } from '../open-pglite'
import { closeFolderToOthers, makePrivateFolder } from '../private-folder'
import {
  type CopiedRows,
  copyStatement,
  type FolderOptions,
  nothingThere,
  plainText,
  quoted,
  type WholeDatabase,
} from './whole-database'

/** Bytes that one statement should copy: the database and the driver each hold its result in memory. */
const PIECE = 2 * 1024 ** 2
/** Bytes of a page of a table. */
const PAGE = 8192
/** Pages that the first statement reads. */
const FIRST_PAGES = 64
/** Rows that the first statement reads along a key. */
const ROWS = 2000

/** Opens the embedded database and runs work in one transaction. A data folder is locked meanwhile; a bare `folder` is the caller's alone. */
export async function inPglite<Result>(
  options: PgliteOptions | FolderOptions,
  work: (database: WholeDatabase) => Promise<Result>,
  { mustExist = false } = {},
): Promise<Result> {
  const folder = 'folder' in options ? options.folder : path.join(options.dataDir, 'pglite')
  if (mustExist && !existsSync(path.join(folder, 'PG_VERSION'))) throw nothingThere(path.dirname(folder))
  const unlock = 'folder' in options ? () => undefined : lockFolder(options.dataDir, options.patience)
  try {
    makePrivateFolder(folder)
    const embedded = await startEmbedded(folder, { brief: true })
    try {
      closeFolderToOthers(folder)
      return await embedded.transaction(async (tx) => {
        await tx.exec(plainText)
        return work(wholeOf(tx))
      })
    } finally {
      await embedded.close()
    }
  } finally {
    unlock()
  }
}

function wholeOf(tx: Transaction): WholeDatabase {
  const copy = async (rows: CopiedRows, within: string): Promise<Uint8Array> => {
    const { blob } = await tx.query(copyStatement(rows, `'/dev/blob'`, within))
    return new Uint8Array((await blob?.arrayBuffer()) ?? [])
  }
  return {
    kind: 'pglite',
    run: async <Row>(statement: string) => ((await tx.exec(statement)).at(-1)?.rows ?? []) as Row[],
    copyOut: (rows) =>
      rows.by ? copyByKey(tx, { ...rows, by: rows.by }, copy) : copyByPages(tx, rows, copy),
    async copyIn(table, columns, pieces) {
      const statement = `copy ${quoted(table)} (${columns.map(quoted).join(', ')}) from '/dev/blob'`
      for await (const piece of pieces) {
        await tx.query(statement, [], { blob: new Blob([piece as Uint8Array<ArrayBuffer>]) })
      }
    },
  }
}

type Copy = (rows: CopiedRows, within: string) => Promise<Uint8Array>

/** A few pages at a time, as many as make a piece: it reads each page once and sorts nothing. */
async function* copyByPages(tx: Transaction, rows: CopiedRows, copy: Copy): AsyncIterable<Uint8Array> {
  const { rows: sizes } = await tx.query<{ pages: number }>(
    `select (pg_relation_size('${quoted(rows.table)}') / ${PAGE})::int as pages`,
  )
  const pages = sizes[0]?.pages ?? 0
  let step = FIRST_PAGES
  for (let from = 0; from < pages; ) {
    const to = Math.min(pages, from + step)
    const piece = await copy(rows, `ctid >= '(${from},0)' and ctid < '(${to},0)'`)
    if (piece.length > 0) yield piece
    step = nextStep(step, piece.length, FIRST_PAGES * 8)
    from = to
  }
}

/** Along a key, some rows at a time. */
async function* copyByKey(
  tx: Transaction,
  rows: CopiedRows & { by: readonly string[] },
  copy: Copy,
): AsyncIterable<Uint8Array> {
  const by = rows.by.map(quoted).join(', ')
  const key = `(${by})`
  const all = rows.where ? `(${rows.where})` : 'true'
  let after: string | undefined
  let step = ROWS
  for (;;) {
    const rest = after === undefined ? 'true' : `${key} > ${after}`
    const { rows: found } = await tx.query<{ place: string }>(
      `select format('(${rows.by.map(() => '%L').join(', ')})', ${by}) as place from ${quoted(rows.table)}
      where ${all} and ${rest} order by ${by} offset ${step - 1} limit 1`,
    )
    const upTo = found[0]?.place
    const piece = await copy(rows, upTo === undefined ? rest : `${rest} and ${key} <= ${upTo}`)
    if (piece.length > 0) yield piece
    if (upTo === undefined) return
    step = nextStep(step, piece.length, ROWS * 4)
    after = upTo
  }
}

/** Twice as many where a piece was small, fewer where it was large. */
const nextStep = (step: number, size: number, most: number): number =>
  size < PIECE / 2
    ? Math.min(most, step * 2)
    : Math.max(1, Math.min(step, Math.floor((step * PIECE) / Math.max(1, size))))
