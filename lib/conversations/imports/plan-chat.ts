import { buffer } from 'node:stream/consumers'
import { setImmediate } from 'node:timers/promises'
import {
  type Change,
  messageText,
  messageTitle,
  planChatUpdate,
  planImport,
  QuotaExceededError,
  type Step,
} from '@/lib/context'
import type { BranchId, ChatId } from '@/lib/events'
import { fileUrl, sizeWords } from '@/lib/protocol'
import { type ForeignChat, type ForeignFile, type OpenExport, UnreadableExportError } from '@/lib/transfer'
import { InvalidRequestError, UnsupportedTypeError } from '../errors'
import { fileName, storeFile } from '../files/store-file'
import type { AvailableModels, Ports } from '../ports'
import { namedModel } from '../turns/choices'
import { contentDigest, holdingIn, holdingOf } from './content-digest'
import { type ImportedTree, idFor, importedTree, type KeepFile } from './imported-tree'
import type { HeldImport } from './imports-port'

/** Messages, branches and letters that one change holds at most: a long conversation becomes several. */
const [STEPS, LETTERS] = [400, 4_000_000]
const MAX_TITLE = 200
/** A message that is larger, as JSON, is not taken: the embedded database answers nothing else while it writes one. */
const MAX_BODY = 8_000_000

/** Changes for one conversation of an export. */
export interface PlannedChat {
  chatId: ChatId
  title: string
  /** none for a conversation without anything new */
  changes: Change[]
  /** number of the file's messages in each of the changes */
  brought: number[]
  /** lost content, in words */
  troubles: string[]
  /** all of it is stored already */
  isUnchanged: boolean
}

/** A chat that has this conversation already. */
export interface KnownChat {
  chatId: ChatId
  digest: string | null
}

/**
 * Plans the changes for one conversation of another program: a new chat, the new part of a known one, or
 * nothing. Its files are stored when this resolves.
 */
export async function planChat(
  ports: Ports,
  {
    held,
    opened,
    item: { chat, source },
    known,
    models,
  }: {
    held: HeldImport
    opened: Pick<OpenExport, 'openFile'>
    item: { chat: ForeignChat; source: string }
    known: KnownChat | undefined
    /** from which its contexts take theirs */
    models: Pick<AvailableModels, 'defaultId' | 'ids'>
  },
): Promise<PlannedChat> {
  const now = ports.clock()
  const chatId = known?.chatId ?? idFor(held.ownerId, source, chat.id)
  const digest = contentDigest(chat)
  const title = importedTitle(chat)
  if (known?.digest === digest)
    return { chatId, title, changes: [], brought: [], troubles: [], isUnchanged: true }

  const stored = known ? await ports.imports.tree(chatId) : undefined
  const holdings = new Map(
    (stored?.messages ?? []).map(({ id, imported, parts }) => [
      id,
      (imported === null ? null : holdingIn(imported)) ?? holdingOf(parts ?? []),
    ]),
  )
  const storedIds = new Set(holdings.keys())
  const troubles = [...chat.problems]
  const tree = await importedTree(within(chat, now), {
    chatId,
    at: timesOf(chat, now).at,
    defaultModel: models.defaultId,
    named: namedModel(
      models,
      chat.messages.map(({ model }) => model),
    ),
    keepFile: keeping(ports, held, opened, troubles),
    stored: holdings,
  })
  if (tree.messages.length === 0) {
    const trouble = 'Nothing was said in it.'
    return { chatId, title, changes: [], brought: [], troubles: [...troubles, trouble], isUnchanged: false }
  }
  const mainId = idFor(chatId, 'main')
  // other work of the process has its turn between the parts of planning
  await setImmediate()
  const steps = planImport({
    ...tree,
    // the chat begins in the context of its first branch
    messages: tree.messages.map((message) =>
      !stored && message.contextId === tree.contextId ? { ...message, contextId: undefined } : message,
    ),
    mainId,
    branchIdOf: (first) => idFor(chatId, 'branch', first),
    ...(stored && { stored: standing(stored, storedIds) }),
  })
  const imported = {
    source,
    id: chat.id,
    digest,
    ...(chat.origin !== null && { origin: chat.origin }),
  }
  await setImmediate()
  const changes = changesOf(steps, {
    chat,
    held,
    chatId,
    mainId,
    title,
    tree,
    imported,
    now,
    isNew: !stored,
  })
  // a file without news leaves only its digest, by which it is known the next time
  const isUnchanged = stored !== undefined && steps.length === 0
  return {
    chatId,
    title,
    troubles: isUnchanged ? [] : troubles,
    changes,
    brought: changes.map((change) => broughtBy(change, tree)),
    isUnchanged,
  }
}

function standing(
  { branches }: Awaited<ReturnType<Ports['imports']['tree']>>,
  messageIds: ReadonlySet<string>,
) {
  const open = branches.filter(({ isOpen }) => isOpen)
  return {
    messageIds,
    heads: new Map<string | null, BranchId>(open.map(({ id, headId }) => [headId, id])),
    names: new Set(branches.map(({ name }) => name)),
  }
}

/** Steps as changes, each small enough to delay others for only a moment. The last one marks the end. */
function changesOf(
  steps: readonly Step[],
  {
    chat,
    held,
    chatId,
    mainId,
    title,
    tree,
    imported,
    now,
    isNew,
  }: {
    chat: ForeignChat
    held: HeldImport
    chatId: ChatId
    mainId: BranchId
    title: string
    tree: ImportedTree
    imported: { source: string; id: string; digest: string; origin?: string }
    now: number
    isNew: boolean
  },
): Change[] {
  const { begun, at } = timesOf(chat, now)
  const groups: Step[][] = []
  let [weight, letters] = [STEPS, 0]
  for (const step of steps) {
    const [heavy, long] = step.kind === 'append' ? [step.messages.length, sizeOf(step.messages)] : [2, 0]
    if (weight + heavy > STEPS || letters + long > LETTERS) {
      groups.push([])
      ;[weight, letters] = [0, 0]
    }
    groups.at(-1)?.push(step)
    weight += heavy
    letters += long
  }
  if (groups.length === 0) groups.push([])
  const isWhole = isNew && groups.length === 1
  const { digest: _, ...begunFrom } = imported
  return groups.map((part, index): Change => {
    const isLast = index === groups.length - 1
    const marked: Step[] =
      isLast && !isWhole ? [...part, ...planChatUpdate({ metadata: { imported } })] : part
    return {
      chatId,
      ownerId: held.ownerId,
      at,
      steps: marked,
      contexts: tree.contexts,
      ...(isNew &&
        index === 0 && {
          create: {
            userId: held.ownerId,
            title,
            branchId: mainId,
            at: begun,
            metadata: {
              imported: isWhole ? imported : begunFrom,
            },
            ...(tree.contextId !== undefined && { contextId: tree.contextId }),
          },
        }),
    }
  })
}

function sizeOf(messages: readonly { data: unknown }[]): number {
  let size = 0
  for (const { data } of messages) {
    const long = JSON.stringify(data).length
    if (long > MAX_BODY) {
      throw new InvalidRequestError(
        `It holds a message of ${sizeWords(long)}; the most that is taken is ${sizeWords(MAX_BODY)}.`,
      )
    }
    size += long
  }
  return size
}

/** Counts the messages of the file in a change, with those that its context is made of. */
function broughtBy({ create, steps }: Change, { held, instructions }: ImportedTree): number {
  let count = create ? instructions : 0
  for (const step of steps) {
    if (step.kind === 'append') for (const { id } of step.messages) count += held.get(id) ?? 1
  }
  return count
}

/** When a conversation was begun, and when something was last said; never later than now. */
function timesOf(
  { createdAt, updatedAt, messages }: ForeignChat,
  now: number,
): { begun: number; at: number } {
  const said = messages.flatMap((message) => message.createdAt?.getTime() ?? [])
  let [first, last] = [now, 0]
  for (const time of said) [first, last] = [Math.min(first, time), Math.max(last, time)]
  const begun = inTime(createdAt?.getTime() ?? first, now)
  const at = inTime(updatedAt?.getTime() ?? (last || createdAt?.getTime() || now), now)
  return { begun: Math.min(begun, at), at: Math.max(begun, at) }
}

const inTime = (time: number, now: number): number => Math.min(Math.max(time, 0), now)

/** The same conversation, with no message from the future. */
const within = (chat: ForeignChat, now: number): ForeignChat => ({
  ...chat,
  messages: chat.messages.map((message) =>
    message.createdAt && inTime(message.createdAt.getTime(), now) !== message.createdAt.getTime()
      ? { ...message, createdAt: new Date(inTime(message.createdAt.getTime(), now)) }
      : message,
  ),
})

export function importedTitle({ title, messages }: Pick<ForeignChat, 'title' | 'messages'>): string {
  const given = title?.toWellFormed().replaceAll('\0', '').trim() ?? ''
  if (given !== '') return given.slice(0, MAX_TITLE).toWellFormed()
  const asked = messages.find(({ role, isHidden }) => role === 'user' && !isHidden)
  return (asked && messageTitle(messageText(asked))) || 'Imported chat'
}

/** Stores files as they come; a line of text names each file that cannot be kept, in its place. */
function keeping(
  ports: Ports,
  { ownerId }: HeldImport,
  opened: Pick<OpenExport, 'openFile'>,
  troubles: string[],
): KeepFile {
  return async (file) => {
    const name = fileName(file.filename ?? 'file')
    const missing = (why: string) => {
      troubles.push(`The file “${name}” ${why}`)
      return { part: { type: 'text', text: `[${name}]` } }
    }
    const bytes = await bytesOf(file, opened, ports.importing.fileBytes).catch((error: unknown) => {
      if (error instanceof UnreadableExportError) return 'damaged' as const
      throw error
    })
    if (bytes === 'damaged') return missing('is damaged in the export. Its name stands in its place.')
    if (bytes === 'missing') return missing('is not in the export. Its name stands in its place.')
    if (bytes === 'large')
      return missing(`is larger than ${sizeWords(ports.importing.fileBytes)}. Its name stands in its place.`)
    try {
      const stored = await storeFile(ports, { ownerId, name, bytes })
      if (!stored) return missing('could not be stored.')
      const { id, media_type: mediaType } = stored
      return { part: { type: 'file', mediaType, filename: name, url: fileUrl(id) }, fileId: id }
    } catch (error) {
      if (error instanceof QuotaExceededError) throw error
      if (!(error instanceof UnsupportedTypeError || error instanceof InvalidRequestError)) throw error
      return missing(`is not kept: ${error.message}`)
    }
  }
}

async function bytesOf(
  { content }: ForeignFile,
  opened: Pick<OpenExport, 'openFile'>,
  most: number,
): Promise<Buffer | 'missing' | 'large'> {
  if ('base64' in content) {
    const bytes = Buffer.from(content.base64, 'base64')
    return bytes.length > most ? 'large' : bytes
  }
  const stream = await opened.openFile(content.entry)
  if (!stream) return 'missing'
  let size = 0
  let isLarge = false
  const bytes = await buffer(
    (async function* () {
      for await (const piece of stream as AsyncIterable<Buffer>) {
        size += piece.length
        isLarge ||= size > most
        if (isLarge) return
        yield piece
      }
    })(),
  )
  return isLarge ? 'large' : bytes
}
