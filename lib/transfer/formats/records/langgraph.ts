import type { ForeignChat } from '../../foreign-chat'
import {
  idOf,
  isRecord,
  type Json,
  type JsonRecord,
  jsonText,
  listAt,
  recordAt,
  textAt,
} from '../../json/values'
import type { ReadContext } from '../../parts/files'
import { Problems } from '../../tree/problems'
import { chainId, dateIn, type SourceNode } from '../../tree/source-node'
import { type ChatFormat, chatOf, type GatheredFormat, madeId, type Surroundings } from '../format'
import { readPlainMessage } from '../plain-message'

const isState = (value: Json): value is JsonRecord =>
  isRecord(value) && Array.isArray(recordAt(value, 'values').messages)

/**
 * The states of a thread as LangGraph answers them: newest first, each with all messages until then. States of another thread
 * begin another chat.
 */
export const langgraphHistory: GatheredFormat = {
  source: 'langgraph',
  program: 'LangGraph',
  recognises: (first) =>
    isState(first) &&
    (['checkpoint', 'parent_checkpoint', 'parent_config'].some((key) => key in first) ||
      (!('thread_id' in first) && ('config' in first || 'next' in first))),
  gather(surroundings) {
    let thread = new Thread(surroundings)
    return {
      get problems() {
        return thread.problems
      },
      get held() {
        return thread.held
      },
      add(value) {
        const before = thread
        const [known, own] = [before.threadId, threadOf(value)]
        const isOther = known !== null && own !== null && known !== own
        if (isOther) thread = new Thread(surroundings)
        thread.add(value)
        return isOther ? before.chat() : null
      },
      end: () => [thread.chat()],
    }
  },
}

const threadOf = (state: Json): string | null => {
  if (!isRecord(state)) return null
  const configurable = recordAt(recordAt(state, 'config'), 'configurable')
  return (
    idOf(recordAt(state, 'checkpoint').thread_id) ?? idOf(configurable.thread_id) ?? idOf(state.thread_id)
  )
}

/** One state, or a thread with its states in `history`. */
export const langgraphThread: ChatFormat = {
  source: 'langgraph',
  program: 'LangGraph',
  recognises: (value) =>
    isState(value) || listAt(value, 'history').some(isState) || listAt(value, 'states').some(isState),
  read(value, context) {
    const thread = new Thread(context, context.problems)
    const states = [...listAt(value, 'history'), ...listAt(value, 'states')]
    for (const state of states) thread.add(state)
    if (isState(value)) thread.add(value)
    return thread.chat(value)
  },
}

interface State {
  /** Messages by their key: id and content. */
  keys: string[]
  createdAt: Date | null
  step: number
  place: number
}

/**
 * Forks are found by the messages of the states, not by the checkpoints that they name: two states that go on
 * differently from the same message are two branches, and a changed message is an alternative of the former one.
 */
class Thread {
  readonly problems: Problems
  held = 0
  threadId: string | null = null
  readonly #context: ReadContext & Surroundings
  readonly #messages = new Map<string, JsonRecord>()
  readonly #states: State[] = []
  /** Values that are no messages, once for all states that have them. */
  readonly #skipped = new Set<string>()

  constructor(surroundings: Surroundings, problems = new Problems()) {
    this.problems = problems
    this.#context = { ...surroundings, problems }
  }

  add(value: Json): void {
    if (!isState(value)) {
      this.#skip(value)
      return
    }
    this.threadId ??= threadOf(value)
    const keys = listAt(recordAt(value, 'values'), 'messages').flatMap((given) => {
      const message = plainForm(given)
      if (!message) {
        this.#skip(given)
        return []
      }
      const json = jsonText([message.type ?? message.role, message.content, message.tool_calls])
      const key = `${idOf(message.id) ?? ''}\n${madeId(json)}`
      if (!this.#messages.has(key)) {
        this.#messages.set(key, message)
        this.held += json.length
      }
      return [key]
    })
    const step = recordAt(value, 'metadata').step
    this.#states.push({
      keys,
      createdAt: dateIn(this.problems, value.created_at),
      step: typeof step === 'number' ? step : Number.NaN,
      place: this.#states.length,
    })
  }

  chat(about: JsonRecord = {}): ForeignChat {
    const nodes = new Map<string, SourceNode>()
    /** Last node of each message, for states that have lost their beginning. */
    const seen = new Map<string, string>()
    const newest = this.#states.reduce<State | null>(
      (one, other) => (one && !isLater(other, one) ? one : other),
      null,
    )
    let current: string | null = null
    for (const state of this.#states.toSorted(byAge)) {
      let above: string | null = null
      for (const [index, key] of state.keys.entries()) {
        const known: string | undefined = index === 0 ? seen.get(key) : undefined
        const id: string = known ?? this.#nodeId(key, above)
        if (!nodes.has(id)) {
          const message = this.#messages.get(key) ?? {}
          for (const node of readPlainMessage(message, { id, parentId: above, context: this.#context })) {
            nodes.set(node.id ?? id, { ...node, createdAt: node.createdAt ?? state.createdAt })
          }
        }
        seen.set(key, id)
        above = id
      }
      if (state === newest) current = above
    }
    const dates = this.#states
      .flatMap(({ createdAt }) => createdAt ?? [])
      .toSorted((one, other) => Number(one) - Number(other))
    const { fileName } = this.#context
    const values = recordAt(about, 'values')
    const own = this.threadId ?? idOf(about.thread_id)
    const facts = {
      id: own ?? madeId('langgraph', fileName),
      isNamedByFile: own === null,
      title:
        textAt(values, 'title') ??
        textAt(recordAt(about, 'metadata'), 'title') ??
        textAt(recordAt(about, 'metadata'), 'thread_name'),
      createdAt: dates[0] ?? null,
      updatedAt: dates.at(-1) ?? null,
    }
    return chatOf(facts, [...nodes.values()], this.problems, { current, skipped: this.#skipped.size })
  }

  #skip(value: Json): void {
    const key = madeId(jsonText(value))
    if (!this.#skipped.has(key)) this.problems.count('no message')
    this.#skipped.add(key)
  }

  /** The message's own id where it is free or stands here; another for the same id elsewhere. */
  #nodeId(key: string, above: string | null): string {
    const made = chainId(above, 'message', key)
    const own = key.slice(0, key.indexOf('\n'))
    if (own === '') return made
    const owner = this.#owners.get(own)
    if (owner === undefined) this.#owners.set(own, made)
    return owner === undefined || owner === made ? own : made
  }

  /** The place in the tree that has the id of the file. */
  readonly #owners = new Map<string, string>()
}

const byAge = (one: State, other: State) => (isLater(one, other) ? 1 : isLater(other, one) ? -1 : 0)

/** By time, else by step, else by place: the newest stands first. */
function isLater(one: State, other: State): boolean {
  const [mine, theirs] = [one.createdAt?.getTime(), other.createdAt?.getTime()]
  if (mine !== undefined && theirs !== undefined && mine !== theirs) return mine > theirs
  if (!Number.isNaN(one.step) && !Number.isNaN(other.step) && one.step !== other.step)
    return one.step > other.step
  return one.place < other.place
}

/** A message as LangGraph's API writes it, also out of the form that LangChain serialises to. */
function plainForm(value: Json): JsonRecord | null {
  if (!isRecord(value)) return null
  if (value.lc === undefined || !isRecord(value.kwargs)) return value
  const name = idOf(listAt(value, 'id').at(-1)) ?? ''
  return { ...value.kwargs, type: name.replace(/Message(Chunk)?$/, '').toLowerCase() }
}
