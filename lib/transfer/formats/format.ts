import { createHash } from 'node:crypto'
import type { ExportSource, ForeignChat } from '../foreign-chat'
import { cleanText, type Json, type JsonRecord } from '../json/values'
import type { FindEntry, ReadContext } from '../parts/files'
import { growForest } from '../tree/grow-forest'
import type { Problems } from '../tree/problems'
import type { SourceNode } from '../tree/source-node'

export interface Surroundings {
  findEntry: FindEntry
  /** Of the file that the chat stands in, without folders and ending. */
  fileName: string
  /** Of the value among the values of the file. */
  place: number
}

/** A format whose values are chats. */
export interface ChatFormat {
  source: ExportSource
  recognises(value: JsonRecord): boolean
  read(value: JsonRecord, context: ReadContext & Surroundings): ForeignChat
}

/** A format whose values make chats together: messages, states, lines after a header. */
export interface GatheredFormat {
  source: ExportSource
  /** Whether a file that begins with this value is of the format. */
  recognises(first: Json): boolean
  gather(surroundings: Surroundings): Gatherer
}

interface Gatherer {
  /** Of the chat that is being gathered. */
  readonly problems: Problems
  /** Bytes of the file that it holds until the chat ends. */
  readonly held: number
  /** Takes the next value; answers the chat that comes to its end by it. */
  add(value: Json, bytes: number): ForeignChat | null
  end(): ForeignChat | null
}

type Facts = Partial<Omit<ForeignChat, 'messages' | 'counts' | 'problems' | 'currentId' | 'branches'>> & {
  id: string
}

/** A chat out of its nodes and what the file says of it. */
export function chatOf(
  facts: Facts,
  nodes: readonly SourceNode[],
  problems: Problems,
  {
    current = null,
    branches = [],
    skipped = 0,
  }: { current?: string | null; branches?: { name: string; headId: string }[]; skipped?: number } = {},
): ForeignChat {
  const { messages, counts, find } = growForest(nodes, facts.id, problems, skipped)
  return {
    id: facts.id,
    title: facts.title ? cleanText(facts.title) : null,
    instructions: facts.instructions ? cleanText(facts.instructions) : null,
    createdAt: facts.createdAt ?? null,
    updatedAt: facts.updatedAt ?? null,
    messages,
    currentId: find(current),
    branches: branches.flatMap(({ name, headId }) => {
      const head = find(headId)
      return head === null ? [] : [{ name: cleanText(name), headId: head }]
    }),
    isPinned: facts.isPinned ?? false,
    isArchived: facts.isArchived ?? false,
    tags: (facts.tags ?? []).map(cleanText),
    counts,
    problems: problems.sentences,
  }
}

/** An id for a chat that has none: the same as long as what it is made from stays. */
export const madeId = (...from: readonly (string | number | null)[]): string =>
  createHash('sha256').update(JSON.stringify(from)).digest('base64url').slice(0, 24)
