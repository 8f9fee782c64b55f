import type { BranchId, LoggedEvent } from '@/lib/events'
import type { Deed, Rows } from './rows'
import { placeOf, requireContext, type Slice } from './slice'

/**
 * The rows of refs that events move, in their order. Those of heads and contexts come in the end, once for each branch: a branch moves
 * with every message.
 */
export class RefRows {
  readonly #opened: Extract<Deed, { do: 'open' }>[] = []
  /** branches whose head or context is another now */
  readonly #moved = new Set<BranchId>()

  constructor(
    private readonly slice: Slice,
    private readonly rows: Rows,
  ) {}

  get #deeds(): Deed[] {
    return this.rows.deeds
  }

  /** Takes in what an event moves, before it is folded. */
  take(event: LoggedEvent): void {
    const { type, payload, streamId, createdAt: at } = event
    switch (type) {
      case 'ThreadCreated': {
        requireContext(this.slice, payload.context_id)
        const place =
          payload.head_message_id === null ? undefined : placeOf(this.slice, payload.head_message_id)
        const { name, context_id: contextId } = payload
        const deed: Deed = {
          do: 'open',
          id: streamId,
          name,
          lane: place?.lane ?? null,
          depth: place?.depth ?? null,
          parent: null,
          from: event.eventNumber - 1,
          contextId,
          at,
        }
        this.#opened.push(deed)
        this.#deeds.push(deed)
        return
      }
      case 'ThreadForked': {
        const opened = this.#opened.find(({ id }) => id === streamId)
        if (opened) opened.parent = payload.parent_thread_id
        return
      }
      case 'UserMessageAdded':
      case 'MessageCopied':
      case 'LLMResponseGenerated':
      case 'HeadMoved':
        this.#moved.add(streamId)
        return
      case 'ContextChanged':
        requireContext(this.slice, payload.context_id)
        this.#moved.add(streamId)
        return
      case 'ChatRenamed':
        this.rows.chat.title = payload.title
        return
      case 'BranchSwitched':
        this.rows.chat.activeBranchId = payload.branch_id
        return
      case 'BranchRenamed':
        this.#deeds.push({ do: 'name', id: payload.branch_id, name: payload.name })
        return
      case 'BranchTitled':
        this.#deeds.push({ do: 'title', id: payload.branch_id, name: payload.title })
        return
      case 'BranchArchived':
        this.#deeds.push({ do: 'archive', id: payload.branch_id, at })
        return
      case 'BranchRestored':
        this.#deeds.push({ do: 'archive', id: payload.branch_id, at: null })
        return
      case 'CheckpointSaved':
      case 'CheckpointMoved': {
        const { lane, depth } = placeOf(this.slice, payload.message_id)
        const id =
          type === 'CheckpointSaved' ? payload.checkpoint_id : this.slice.checkpoints.get(payload.name)?.id
        this.#deeds.push({ do: 'checkpoint', id: id ?? '', name: payload.name, lane, depth, at })
        return
      }
      case 'CheckpointRemoved':
        this.#deeds.push({ do: 'forget checkpoint', name: payload.name })
        return
      case 'ChatUpdated': {
        const { chat } = this.rows
        chat.metadata = { ...chat.metadata, ...payload.metadata }
        return
      }
      default:
    }
  }

  /** Where branches stand in the end. */
  settle(): void {
    const { slice } = this
    for (const id of this.#moved) {
      const thread = slice.threads.get(id)
      if (!thread) throw new Error(`Branch "${id}" is missing`)
      const place = thread.headMessageId === null ? undefined : placeOf(slice, thread.headMessageId)
      const [lane, depth] = [place?.lane ?? null, place?.depth ?? null]
      const { contextId } = thread
      const opened = this.#opened.find((deed) => deed.id === id)
      if (opened) Object.assign(opened, { lane, depth, contextId })
      else this.#deeds.push({ do: 'head', id, lane, depth, contextId })
    }
  }
}
