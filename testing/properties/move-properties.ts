import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type BranchData,
  type ContextStore,
  jsonEqual,
  type MergeWay,
  type MessageData,
  NamedError,
  planArchive,
  planCheckpoint,
  planCheckpointRemoval,
  planCompact,
  planContextChange,
  planMerge,
  planPick,
  planRedo,
  planRename,
  planRewind,
  planSteering,
  planSwitch,
  planUnarchive,
  planUndo,
  planUndoAll,
  type Step,
} from '@/lib/context'
import { newId } from '@/lib/events'
import { Story } from '../contracts/store/story'
import { useOpened } from '../contracts/use-opened'
import { checkRestore } from './check-restore'
import { checkFold } from './engine/check-fold'
import { namedContexts } from './engine/context-command'

/** What a move is made from: numbers that pick branches, messages and names of the chat as it is then. */
interface Act {
  verb: (typeof verbs)[number]
  one: number
  other: number
}

const verbs = [
  ...(['rewind', 'switch', 'rename', 'archive', 'unarchive', 'checkpoint', 'remove-checkpoint'] as const),
  ...(['context', 'pick', 'merge', 'compact', 'steer', 'undo', 'undo', 'undo', 'redo', 'redo'] as const),
]

const act: fc.Arbitrary<Act> = fc.record({
  verb: fc.constantFrom(...verbs),
  one: fc.nat({ max: 1000 }),
  other: fc.nat({ max: 1000 }),
})

interface Known {
  story: Story
  branches: BranchData[]
  messages: MessageData[]
}

const at = <T>(list: readonly T[], index: number): T => {
  const found = list[index % Math.max(1, list.length)]
  if (found === undefined) throw new Error('there is nothing to choose from')
  return found
}

/** The steps of a move, as the planners decide them. */
async function planned({ verb, one, other }: Act, known: Known): Promise<Step[]> {
  const { branches, messages } = known
  const shown = branches.filter(({ archivedAt }) => archivedAt === null)
  const branch = at(shown, one)
  const message = at(messages, other)
  const named = `mark ${other % 3}`
  switch (verb) {
    case 'rewind':
      return planRewind({ after: branch.name, messageId: message.id, newId }).steps
    case 'switch':
      return planSwitch(branch.id).steps
    case 'rename':
      return planRename(branch.id, at(['porto', 'lisbon', 'main', 'main-v2', 'main-v3'], other))
    case 'archive':
      return planArchive(branch.id, other % 2 === 0 ? at(shown, other).id : undefined)
    case 'unarchive':
      return planUnarchive(at(branches, one).id)
    case 'checkpoint':
      return planCheckpoint({ name: named, messageId: message.id, newId })
    case 'remove-checkpoint':
      return planCheckpointRemoval(named)
    case 'context': {
      const contextId = at(namedContexts, other).id
      return planContextChange({ branchId: branch.id, expected: branch.contextId, contextId })
    }
    case 'pick': {
      const copied = Array.from({ length: 1 + (other % 3) }, (_, index) => at(messages, one + index))
      const ids = copied.map(({ id }) => id)
      const { store, chatId } = known.story
      const found = await store.getMessagesById(chatId, ids, branch.headMessageId)
      return planPick({ branch: headOf(branch), messages: found, at: Date.now(), newId }).steps
    }
    case 'merge':
      return merged(known, at(branches, other), branch)
    case 'steer':
      return planSteering(branch.id, other % 3 === 0 ? null : at(branches, other).id)
    case 'compact': {
      const { name, headMessageId: untilId } = branch
      if (untilId === null) return []
      const count = await known.story.store.countChain(known.story.chatId, untilId)
      return planCompact({
        branch: headOf(branch),
        name,
        untilId,
        count,
        summary: 'All of it.',
        at: Date.now(),
        newId,
      }).steps
    }
    default:
      throw new Error(`${verb} is no move`)
  }
}

const headOf = ({ id, name, headMessageId: headId, contextId, archivedAt }: BranchData) => ({
  branchId: id,
  branchName: name,
  headId,
  isArchived: archivedAt !== null,
  context: contextId === null ? null : { id: contextId },
})

/** Merges one branch into another by its brief, its turns or its context. */
async function merged({ story }: Known, source: BranchData, target: BranchData): Promise<Step[]> {
  const { store, chatId } = story
  const { headMessageId: headId } = source
  const base =
    headId === null
      ? { baseId: null, own: 0 }
      : await store.getMergeBase(chatId, headId, target.headMessageId)
  const messages =
    headId === null || base.own === 0 ? [] : await store.getMessageChain(chatId, headId, { last: base.own })
  const contextId = at(namedContexts, messages.length).id
  const ways: MergeWay[] = [
    { mode: 'brief', brief: 'Found.', quotes: [], conflicts: [] },
    // merged over and over, branches would grow without end
    { mode: 'turns', messages: messages.slice(-3) },
    { mode: 'context', contextId, brief: 'Changed.', conflicts: [] },
  ]
  const way = at(ways, messages.length + (headId?.length ?? 0))
  const from = { branchId: source.id, name: source.name, headId }
  return planMerge({ source: from, target: headOf(target), base, way, at: Date.now(), newId }).steps
}

type Visible = Awaited<ReturnType<Story['visible']>>

/** Given a conversation with a few branches and contexts. */
async function begin(store: ContextStore): Promise<Story> {
  const story = await Story.begin(store)
  const { main } = story
  await story.say(main, null, 'q1', 'a1', 'q2', 'a2', 'q3', 'a3')
  const side = await story.fork('a1')
  await story.say(side, 'a1', 'q4', 'a4')
  await story.commit([], { contexts: namedContexts })
  return story
}

/** Whatever is moved in a chat, in whatever order, Undo takes back and Redo makes again move by move (DESIGN.md §10). */
export function describeMoveProperties(
  name: string,
  open: () => Promise<{
    store: ContextStore
    findings(chatId: string): Promise<string[]>
    close(): Promise<void>
  }>,
  options: { runs: number; length: number },
): void {
  describe(`any history of moves on ${name}`, () => {
    const getBench = useOpened(open)
    const seed = Number(process.env.RAMIFY_TEST_SEED ?? Math.floor(Math.random() * 2 ** 31))
    test(`is undone to where it began in ${options.runs} histories of up to ${options.length} moves (seed ${seed})`, async () => {
      const bench = getBench()
      const history = fc.array(act, { minLength: 1, maxLength: options.length, size: 'max' })
      await fc.assert(
        fc.asyncProperty(history, async (acts) => {
          const story = await begin(bench.store)
          const told = new Told(story, await story.visible())
          for (const one of acts) await told.take(one)
          await told.undoAll()
          await told.undoAtOnce()
          await checkFold(bench.store, story.chatId)
          expect(await bench.findings(story.chatId)).toEqual([])
          expect(await bench.findings(await checkRestore(bench.store, story.chatId))).toEqual([])
        }),
        { seed, numRuns: options.runs },
      )
    }, 240_000)
  })
}

/** A chat, and what it looked like before each of its moves. */
class Told {
  readonly #story: Story
  readonly #past: Visible[] = []
  readonly #future: Visible[] = []
  #now: Visible

  constructor(story: Story, now: Visible) {
    this.#story = story
    this.#now = now
  }

  async take(one: Act): Promise<void> {
    if (one.verb === 'undo' || one.verb === 'redo') return this.#back(one.verb)
    const { store, chatId } = this.#story
    const [branches, messages] = [await store.listBranches(chatId), await store.getMessages(chatId)]
    const before = await store.getMove(chatId, { which: 'undo' })
    try {
      await this.#story.commit(await planned(one, { story: this.#story, branches, messages }))
    } catch (refusal) {
      // then nothing has changed; a move that cannot be made is no move
      if (!(refusal instanceof NamedError)) throw refusal
      expect(await this.#story.visible()).toEqual(this.#now)
      return
    }
    const made = await store.getMove(chatId, { which: 'undo' })
    if (made?.moveSeq === before?.moveSeq) return
    this.#past.push(this.#now)
    this.#future.length = 0
    this.#now = await this.#story.visible()
  }

  /** Then every state comes back, from the last to the first. */
  async undoAll(): Promise<void> {
    while (this.#past.length > 0) await this.#back('undo')
    await this.#back('undo')
  }

  /** Then all of them are undone in one change, once they are made again. */
  async undoAtOnce(): Promise<void> {
    const { store, chatId } = this.#story
    const begun = this.#now
    while (this.#future.length > 0) await this.#back('redo')
    const moves = await store.getMoves(chatId, { which: 'undo', after: 0 })
    const [first] = moves
    if (!first) return
    await this.#story.commit(planUndoAll(moves, newId).steps, { expectedSeq: first.seq })
    expect(await this.#story.visible()).toEqual(begun)
    expect(await store.getMove(chatId, { which: 'undo' })).toBeNull()
  }

  async #back(which: 'undo' | 'redo'): Promise<void> {
    const { store, chatId } = this.#story
    const [from, to] = which === 'undo' ? [this.#past, this.#future] : [this.#future, this.#past]
    const move = await store.getMove(chatId, { which })
    const expected = from.pop()
    expect(move === null, `there is nothing to ${which}`).toBe(expected === undefined)
    if (!move || !expected) return
    const { steps } = which === 'undo' ? planUndo(move, newId) : planRedo(move, newId)
    await this.#story.commit(steps, { expectedSeq: move.seq })
    to.push(this.#now)
    this.#now = await this.#story.visible()
    if (!jsonEqual(this.#now, expected)) expect(this.#now, `${which} of ${move.move}`).toEqual(expected)
  }
}
