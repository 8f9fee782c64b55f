import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { type Change, HeadConflictError, NamedError, QuotaExceededError } from '@/lib/context'
import { UnreadableExportError } from '@/lib/transfer'
import { keepAsBefore } from '../chats/kept-chat'
import type { AvailableModels, Ports } from '../ports'
import { chosenBy } from './import-choice'
import type { HeldImport, ImportProgress, ImportTrouble } from './imports-port'
import { KnownChats, namesOf } from './known-chats'
import type { ImportItem, OpenImport } from './open-import'
import { importedTitle, type KnownChat, type PlannedChat, planChat } from './plan-chat'
import { readChatFile } from './read-chat-file'
import { type RestoredChat, restoreChat } from './restore-chat'
import { UnpackedContents } from './unpacked-contents'

/** Items that are looked up, and written, together. */
const GROUP = 50
/** Bytes of a file whose chats are held at a time; a longer chat is held alone. */
const GROUP_BYTES = 4 * 1024 * 1024
/** Times that a chat is planned anew when something was written to it meanwhile. */
const TRIES = 4
/** Problems of one chat that are listed. */
const LISTED = 5

/**
 * Takes the import that waits longest, and works on it until it is done, cancelled or stuck. Written chats
 * stay: an import that ends early leaves whole chats, and the same file brings in the rest.
 *
 * @param signal ends the work after the chats at hand; any process can then continue it
 * @returns undefined when no import waits; `ended` resolves at its end, and never rejects
 */
export async function driveImport(
  ports: Ports,
  signal: AbortSignal,
): Promise<{ ended: Promise<void> } | undefined> {
  const held = await ports.imports.claim(ports.leaseMs)
  return held && { ended: new ImportDriver(ports, held, signal).run() }
}

interface Planned {
  item: ImportItem
  plan?: PlannedChat
  /** a chat of ours, which is there already */
  restored?: RestoredChat & { title: string }
  /** why it is left out */
  trouble?: string
  /** it was not chosen */
  isLeft?: true
}

class ImportDriver {
  /** aborted when the import is no longer this process's, or the process stops */
  readonly #over = new AbortController()
  #models: Pick<AvailableModels, 'defaultId' | 'ids'> = { defaultId: '', ids: [] }
  /** holds the unpacked parts of the file */
  #folder = ''
  readonly #isChosen: (item: ImportItem) => boolean

  constructor(
    private readonly ports: Ports,
    private readonly held: HeldImport,
    private readonly stopped: AbortSignal,
  ) {
    this.#isChosen = chosenBy(held.choice)
  }

  async run(): Promise<void> {
    const { ports, held } = this
    const stop = () => this.#over.abort()
    this.stopped.addEventListener('abort', stop, { once: true })
    // a chat may take longer to read than a lease lasts
    const alive = setInterval(() => {
      ports.imports.renew(held, ports.leaseMs).then(
        (mine) => mine || this.#over.abort(),
        (error: unknown) => ports.logError(`keeping import ${held.id}`, error),
      )
    }, ports.leaseMs / 3)
    alive.unref()
    let leave: (() => Promise<void>) | undefined
    try {
      leave = await ports.imports.attend(held)
      await this.#work()
      if (this.stopped.aborted) await ports.imports.release(held)
    } catch (error) {
      await this.#fail(error).catch((failed: unknown) => ports.logError(`ending import ${held.id}`, failed))
    } finally {
      clearInterval(alive)
      await leave?.().catch((error: unknown) => ports.logError(`leaving import ${held.id}`, error))
      this.stopped.removeEventListener('abort', stop)
    }
  }

  async #fail(error: unknown): Promise<void> {
    const { ports, held } = this
    if (this.#over.signal.aborted) {
      if (this.stopped.aborted) await ports.imports.release(held)
    } else if (error instanceof UnreadableExportError) {
      await ports.imports.end(held, 'failed', error.message)
    } else if (error instanceof QuotaExceededError) {
      const reason = `A limit of this server is reached: ${error.used} of ${error.allowed} ${error.limit.replace('_', ' ')}. What was imported stays. Make room, and import the same file again: it goes on with the rest.`
      await ports.imports.end(held, 'failed', reason)
    } else {
      // another attempt follows when the lease ends
      ports.logError(`import ${held.id}`, error)
    }
  }

  async #work(): Promise<void> {
    const { ports, held } = this
    const folder = await mkdtemp(path.join(tmpdir(), 'ramify-import-'))
    this.#folder = folder
    try {
      const file = path.join(/* turbopackIgnore: true */ folder, 'export')
      await pipeline(ports.imports.bytes(held.id), createWriteStream(file), { signal: this.#over.signal })
      this.#models = await ports.models.of(held.ownerId)
      const opened = await ports.importing.open(file, { name: held.name, signal: this.#over.signal })
      try {
        await this.#bringIn(opened)
      } finally {
        await opened.close()
      }
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }

  async #bringIn(opened: OpenImport): Promise<void> {
    let group: ImportItem[] = []
    let [weight, bytes] = [0, 0]
    // the next chats are read while the database stores these, where there is memory for both
    let writing = Promise.resolve(true)
    const write = async () => {
      if (!(await writing)) return false
      writing = this.#write(opened, group)
      // its rejection is handled at its await
      writing.catch(() => undefined)
      const isLong = bytes > GROUP_BYTES
      ;[group, weight, bytes] = [[], 0, 0]
      return !isLong || writing
    }
    try {
      for await (const item of opened.items(this.held.place)) {
        group.push(item)
        weight += weightOf(item)
        bytes += 'bytes' in item ? item.bytes : 0
        const isFull = group.length >= GROUP || weight >= this.ports.imports.batch || bytes > GROUP_BYTES
        if (isFull && !(await write())) return
      }
    } finally {
      await writing
    }
    if (group.length > 0 && !(await write())) return
    if (!(await writing)) return
    await this.ports.imports.end(this.held, 'done')
  }

  /** Writes the chats of a few items. False when the import is over for this process. */
  async #write(opened: OpenImport, items: readonly ImportItem[]): Promise<boolean> {
    const { ports, held } = this
    const known = new KnownChats(ports.imports, held.ownerId, 'import')
    await known.look(items.filter(this.#isChosen))
    let together: Planned[] = []
    const flush = async () => {
      const some = together
      together = []
      return some.length === 0 || this.#commit(opened, some)
    }
    const seen = new Set<string>()
    for (const item of items) {
      if (this.#over.signal.aborted) return false
      if (!this.#isChosen(item)) {
        together.push({ item, isLeft: true })
        continue
      }
      if ('chat' in item) {
        const names = namesOf(item)
        // the same conversation twice in one file: the second one sees the stored messages of the first
        if (names.some((name) => seen.has(name))) {
          if (!(await flush())) return false
          await known.look([item])
        }
        for (const name of names) seen.add(name)
      }
      const planned = await this.#plan(opened, item, known.of(item))
      if ((planned.plan?.changes.length ?? 0) > 1) {
        if (!(await flush()) || !(await this.#commitLong(opened, planned))) return false
      } else together.push(planned)
    }
    return flush()
  }

  async #plan(opened: OpenImport, item: ImportItem, known: KnownChat | undefined): Promise<Planned> {
    const { ports, held } = this
    try {
      if ('own' in item) return { item, restored: await this.#restore(item) }
      if (!('chat' in item)) return { item }
      const plan = await planChat(ports, { held, opened, item, known, models: this.#models })
      return { item, plan }
    } catch (error) {
      // one chat of a zip of ours that is damaged; the others are not
      const isDamaged = 'own' in item && error instanceof UnreadableExportError
      if (!isDamaged && !isRefusal(error)) throw error
      return { item, trouble: error.message }
    }
  }

  /** A chat of ours is made again as it was, in a change of its own; there already, it stays as it is. */
  async #restore({ own }: Extract<ImportItem, { own: unknown }>): Promise<Planned['restored']> {
    const { text, open } = await own()
    const contents = new UnpackedContents(path.join(this.#folder, 'contents'))
    try {
      const file = await readChatFile(text, contents)
      const restored = await restoreChat(this.ports, {
        ownerId: this.held.ownerId,
        file,
        open: async (entry) => (await contents.read(entry)) ?? (await open?.(entry)) ?? null,
      })
      return { ...restored, title: file.chat.title ?? 'Untitled' }
    } finally {
      await contents.close()
    }
  }

  /** Writes changes with the import's progress. A chat that they make keeps its place in the list. */
  async #advance(
    planned: readonly Planned[],
    progress: ImportProgress,
    changes: readonly Change[],
  ): Promise<boolean> {
    const { ports, held } = this
    if (!(await ports.imports.advance(held, progress, changes, ports.leaseMs))) return false
    const made = new Set(changes.flatMap(({ chatId, create }) => (create ? [chatId] : [])))
    for (const { item, plan } of planned) {
      if (!plan || !('chat' in item) || !made.has(plan.chatId)) continue
      const { isPinned: pinned, isArchived: archived, tags } = item.chat
      await keepAsBefore(ports, { ownerId: held.ownerId, chatId: plan.chatId }, { pinned, archived, tags })
    }
    return true
  }

  /** Commits all at once; when one of them is refused, each by itself. */
  async #commit(opened: OpenImport, planned: readonly Planned[]): Promise<boolean> {
    const { ports, held } = this
    const next = planned.at(-1)
    const place = next ? placeAfter(next.item) : held.place
    try {
      const changes = planned.flatMap(({ plan }) => plan?.changes ?? [])
      return await this.#advance(planned, sumOf(planned, place), changes)
    } catch (error) {
      if (error instanceof QuotaExceededError && planned.length === 1 && error.limit !== 'branches')
        throw error
      // a database that is away refuses everything
      if (!(error instanceof NamedError) && !(await ports.imports.renew(held, ports.leaseMs))) return false
      const [only] = planned
      if (planned.length === 1 && only) return this.#commitAlone(opened, only, error)
      for (const one of planned) if (!(await this.#commit(opened, [one]))) return false
      return true
    }
  }

  /** A refused chat: planned anew when it has changed meanwhile, else left out with the reason. */
  async #commitAlone(opened: OpenImport, { item, plan }: Planned, refusal: unknown): Promise<boolean> {
    const { ports, held } = this
    let error = refusal
    for (let tries = 1; tries < TRIES && error instanceof HeadConflictError && 'chat' in item; tries++) {
      const known = new KnownChats(ports.imports, held.ownerId, 'import')
      await known.look([item])
      const again = await this.#plan(opened, item, known.of(item))
      try {
        return await this.#advance([again], sumOf([again], placeAfter(item)), again.plan?.changes ?? [])
      } catch (next) {
        error = next
      }
    }
    if (!isRefusal(error)) ports.logError(`a chat of import ${held.id}`, error)
    const trouble = isRefusal(error)
      ? error.message
      : 'It could not be stored; the log of the server says why.'
    const left = { item, trouble, ...(plan && { plan: { ...plan, changes: [], brought: [], troubles: [] } }) }
    return ports.imports.advance(held, sumOf([left], placeAfter(item)), [], ports.leaseMs)
  }

  /** A long conversation, change by change: after a crash it continues after the last one. */
  async #commitLong(opened: OpenImport, { item, plan }: Planned): Promise<boolean> {
    if (!plan) return true
    for (const [index, change] of plan.changes.entries()) {
      if (this.#over.signal.aborted) return false
      const isLast = index === plan.changes.length - 1
      const messagesImported = plan.brought[index] ?? 0
      const progress: ImportProgress = isLast
        ? { ...sumOf([{ item, plan }], placeAfter(item)), messagesImported }
        : { ...nothing, messagesImported, place: item.place }
      try {
        if (!(await this.#advance([{ item, plan }], progress, [change]))) return false
      } catch (error) {
        if (error instanceof QuotaExceededError && error.limit !== 'branches') throw error
        return this.#commitAlone(opened, { item, plan }, error)
      }
      await new Promise(setImmediate)
    }
    return true
  }
}

const TOOLS_ASK =
  'Tools that ran without asking where this chat comes from ask you first here, until you choose “Always” in its context.'

const nothing: Omit<ImportProgress, 'place'> = {
  chatsImported: 0,
  chatsUnchanged: 0,
  chatsLeft: 0,
  messagesFound: 0,
  messagesImported: 0,
  messagesSkipped: 0,
  problemCount: 0,
  problems: [],
  chats: [],
}

/** Sums the results of items for the report. */
function sumOf(planned: readonly Planned[], place: number): ImportProgress {
  const sum = { ...nothing, place, problems: [] as ImportTrouble[], chats: [] as ImportProgress['chats'] }
  for (const { item, plan, restored, trouble, isLeft } of planned) {
    if (isLeft) {
      sum.chatsLeft += 1
      continue
    }
    if ('own' in item) {
      if (trouble !== undefined) {
        sum.problems.push({ chat: item.title, reason: trouble })
        sum.problemCount += 1
      }
      if (!restored) continue
      const { chatId, title, outcome, messages } = restored
      sum.messagesFound += messages.found
      sum.messagesImported += messages.added
      if (outcome === 'unchanged') sum.chatsUnchanged += 1
      else {
        sum.chatsImported += 1
        sum.chats.push({ chatId, title })
      }
      if (restored.lowered) {
        sum.problems.push({ chat: title, chatId, reason: TOOLS_ASK })
        sum.problemCount += 1
      }
      continue
    }
    if (!('chat' in item)) {
      const told = 'notes' in item ? item.notes : [item.problem]
      sum.problems.push(...told)
      sum.problemCount += told.length
      continue
    }
    const { counts } = item.chat
    sum.messagesFound += counts.found
    sum.messagesSkipped += counts.skipped
    const isWritten = plan !== undefined && plan.changes.length > 0 && !plan.isUnchanged
    const title = plan?.title ?? importedTitle(item.chat)
    const troubles = [...(trouble === undefined ? [] : [trouble]), ...(plan?.troubles ?? [])]
    sum.problemCount += troubles.length
    for (const reason of troubles.slice(0, LISTED)) {
      sum.problems.push({ chat: title, reason, ...(isWritten && { chatId: plan.chatId }) })
    }
    if (isWritten) {
      sum.chatsImported += 1
      sum.messagesImported += plan.brought.reduce((all, some) => all + some, 0)
      sum.chats.push({ chatId: plan.chatId, title })
    } else if (troubles.length === 0) sum.chatsUnchanged += 1
  }
  return sum
}

/** The place from which the import continues after an item; notes at the end are not a chat of the file. */
const placeAfter = (item: ImportItem): number => ('notes' in item ? item.place : item.place + 1)

/** A chat of ours is written by itself: it is counted before the next one is begun. */
function weightOf(item: ImportItem): number {
  if ('own' in item) return Number.POSITIVE_INFINITY
  return 'chat' in item ? item.chat.messages.length + 4 : 1
}

const isRefusal = (error: unknown): error is NamedError =>
  error instanceof NamedError && !(error instanceof QuotaExceededError && error.limit !== 'branches')
