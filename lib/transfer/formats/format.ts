/**
 * A reader of a program's files. To add one:
 *
 * 1. Write `formats/ROOM/PROGRAM.ts` (services, apps, agents, records), which exports one of the four forms below:
 *    - `tableFormat({ … })` (`table.ts`) for JSON whose values are chats. Most programs are such: a table says which field
 *      is the title, the text, the parent. Functions stand where a field is not enough. `services/deepseek.ts` is the example.
 *    - `linesFormat({ … })` for JSON lines, or a list, whose values make one chat together: the log of an agent.
 *    - `TextFormat` for what is no JSON: Markdown, HTML, CSV. `agents/specstory.ts` is the example.
 *    - `ChatFormat` or `GatheredFormat` themselves, for what none of these can say.
 * 2. Name it in `formats/index.ts`, before what is plainer and would recognise its files too.
 * 3. Name it in `components/settings/import-sources.ts`, with the way to its file.
 * 4. Test it with `readChat` or `readAll` and `drawn` (`testing/worlds/exported-files.ts`), as `services/deepseek.test.ts` does, and
 *    check that `chat.problems` says nothing that was not expected.
 *
 * Readers share these: `tree/entries.ts` makes a tree out of ids and parents, nested children, ancestors or a plain order;
 * `parts/read-blocks.ts` and `parts/files.ts` make parts; `dateIn` reads seconds, milliseconds and ISO 8601. Whatever a reader
 * leaves behind is found by `unread/source-texts.ts` and said in the report. `silent` names fields that hold nothing of a
 * conversation; a field that does and cannot be kept is said with `problems.say`.
 */
import { createHash } from 'node:crypto'
import type { ForeignChat } from '../foreign-chat'
import { cleanText, type Json, type JsonRecord } from '../json/values'
import type { FindEntry, ReadContext } from '../parts/files'
import { growForest } from '../tree/grow-forest'
import { Problems } from '../tree/problems'
import type { SourceNode } from '../tree/source-node'

export interface Surroundings {
  findEntry: FindEntry
  /** The name of the file that the chat stands in, without folders and ending. */
  fileName: string
  /** The place of the value among the values of the file. */
  place: number
  /** The members of the object around the list of chats: folders, prompts. */
  beside: JsonRecord
}

export type ChatContext = ReadContext & Surroundings

interface Format {
  /** The id of the program, which stays for ever: chats that were brought in are found by it. */
  source: string
  /** The name of the program. */
  program: string
  /** Keys that hold nothing of a conversation, each alone or with the key around it: `metadata.usage`. */
  silent?: readonly string[]
  /** Keys beside the list of chats that it reads out of `context.beside`. */
  beside?: readonly string[]
}

/** A format whose values are chats. */
export interface ChatFormat extends Format {
  recognises(value: JsonRecord): boolean
  /** Reads the chat of a value; all chats of a value that holds several, as a backup does. */
  read(value: JsonRecord, context: ChatContext): ForeignChat | readonly ForeignChat[]
  /** A value may hold several chats. */
  holdsMany?: boolean
}

/** A format whose values make chats together: messages, states, lines after a header. */
export interface GatheredFormat extends Format {
  /** True: a file that has this value near its beginning is of the format. */
  recognises(value: Json): boolean
  gather(surroundings: Surroundings): Gatherer
  /** True: the value holds nothing of a conversation that no other holds. */
  isAside?(value: Json): boolean
  /**
   * The chat that a file with this value belongs to, by the id that ends the name of that chat's file; null: to none. The
   * values of such files are gathered together: sessions of sub-agents, forks.
   */
  partOf?(value: Json): string | null
}

interface Gatherer {
  /** Problems of the chat that is being gathered. */
  readonly problems: Problems
  /** Bytes of the file that it holds until the chat ends. */
  readonly held: number
  /** Takes the next value; answers the chat that comes to its end by it. */
  add(value: Json, bytes: number): ForeignChat | null
  end(): readonly ForeignChat[]
}

/** A format that is no JSON. */
export interface TextFormat extends Format {
  /** @param head the first 256 KB of the file */
  recognises(head: string, name: string): boolean
  readText(text: string, context: ChatContext): readonly ForeignChat[]
}

export type AnyFormat = ChatFormat | GatheredFormat | TextFormat

/** A format whose values are held until the last one, and read together. */
export function linesFormat({
  read,
  ...format
}: Omit<GatheredFormat, 'gather'> & {
  read(values: readonly Json[], context: ChatContext): readonly ForeignChat[]
}): GatheredFormat {
  return {
    ...format,
    gather(surroundings) {
      const problems = new Problems()
      const values: Json[] = []
      let held = 0
      return {
        problems,
        get held() {
          return held
        },
        add(value, bytes) {
          values.push(value)
          held += bytes
          return null
        },
        end: () => read(values, { ...surroundings, problems }),
      }
    },
  }
}

/** The address of a chat in its own program; null for one without an id. */
export const webChat = (place: string, id: string | null): string | null =>
  id === null ? null : `${place}${encodeURIComponent(id)}`

export type ChatFacts = Partial<
  Omit<ForeignChat, 'messages' | 'counts' | 'problems' | 'currentId' | 'branches'>
> & {
  id: string
}

/** A chat out of its nodes and what the file says of it. */
export function chatOf(
  facts: ChatFacts,
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
    isNamedByFile: facts.isNamedByFile ?? false,
    origin: facts.origin ? cleanText(facts.origin) : null,
    title: facts.title ? cleanText(facts.title) : null,
    instructions: facts.instructions ? cleanText(facts.instructions) : null,
    createdAt: facts.createdAt ?? null,
    updatedAt: facts.updatedAt ?? null,
    messages,
    currentId: find(current) ?? newestLeaf(messages),
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

/**
 * The end of the chain with the newest words. A message without a date is as new as the message before it; among
 * equally new ones the last in the file is taken.
 */
function newestLeaf(messages: ForeignChat['messages']): string | null {
  const times = new Map<string, number>()
  const followed = new Set<string>()
  for (const { id, parentId, createdAt } of messages) {
    const above = parentId === null ? Number.NEGATIVE_INFINITY : (times.get(parentId) ?? 0)
    // a reply is no older than its question, whatever a clock said
    times.set(id, Math.max(createdAt?.getTime() ?? Number.NEGATIVE_INFINITY, above))
    if (parentId !== null) followed.add(parentId)
  }
  let [newest, latest] = [null as string | null, Number.NEGATIVE_INFINITY]
  for (const { id } of messages) {
    const time = times.get(id) ?? 0
    if (followed.has(id) || time < latest) continue
    newest = id
    latest = time
  }
  return newest
}

/** An id for a chat that has none: the same as long as its sources stay. */
export const madeId = (...from: readonly (string | number | null)[]): string =>
  createHash('sha256').update(JSON.stringify(from)).digest('base64url').slice(0, 24)
