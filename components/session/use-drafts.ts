'use client'

import { useEffectEvent, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react'
import type { Api } from '@/components/app/api'
import { useApp } from '@/components/app/app-context'
import { isGone } from '@/components/app/problem'
import { useOnChange, useOnChangeBeforePaint } from '@/components/ui/use-on-change'
import type { BranchId, ChatId, MessageId } from '@/lib/events'
import { type ChatSession, headOf } from './chat-session'
import { type Draft, Drafts, draftPlace, noDraft } from './drafts'
import type { AttachedFile } from './messages'
import {
  changeNext,
  type NextEvent,
  type NextMessage,
  nextMessage,
  replyEnd,
  type SentMessage,
} from './next-message'
import { readSince } from './read-chat'

const noFiles: readonly AttachedFile[] = []
/** Before the first message a visitor is no person yet. */
const visitor = 'visitor'

/** The draft of the branch being read, and the messages that wait on it for a reply to end. */
export function useDrafts(state: ChatSession) {
  const { api, viewer } = useApp()
  const { index, branchId, turns, unsaved } = state
  const { chatId, branches, runs } = index.graph
  const owner = viewer?.id ?? visitor
  const [drafts] = useState(() => new Drafts(owner))
  const placeOf = (id: BranchId) => draftPlace(chatId, id, unsaved)
  const place = placeOf(branchId)
  const draft = useSyncExternalStore(
    drafts.subscribe,
    () => drafts.at(place),
    () => noDraft,
  )
  /** the message before which one stood that is in the box now */
  const edited = useRef<MessageId | null>(null)
  const isWriting = (id: BranchId) =>
    turns.some((turn) => turn.branchId === id) ||
    runs.some((run) => run.branchId === id) ||
    drafts.isLeaving(placeOf(id))

  useLayoutEffect(() => drafts.giveTo(owner), [drafts, owner])

  const before = useRef({ branchId, place, branches })
  // before the page is painted: the box never shows an empty draft in between
  useOnChangeBeforePaint([place], () => {
    const was = before.current
    if (place === was.place) return
    before.current = { branchId, place, branches }
    const isNew = !was.branches.some(({ id }) => id === branchId)
    const isSaved = was.place === draftPlace(chatId, was.branchId, true)
    // the draft goes along to a branch that was opened from here; the messages that wait follow their reply
    if (isNew || isSaved) drafts.carry(was.place, place, isSaved || isWriting(branchId))
  })

  // a message that was sent, and of which no answer came, is stored or is put back into the box
  const find = useEffectEvent(async () => {
    const lost = drafts.lost(place)
    if (!lost) return
    const isHere = lost.chatId === chatId
    const isStored = isHere ? index.byId(lost.id) !== undefined : await isChatThere(api, lost.chatId)
    if (isStored === undefined || drafts.lost(place)?.id !== lost.id) return
    if (isStored) drafts.settle(lost.id)
    else if (!lost.isBack) drafts.putBack(place, lost, lost.id)
  })
  useOnChange([place, index, draft.sent], () => void find())

  const tell = (id: BranchId, event: NextEvent) => {
    const [first, ...rest] = drafts.at(placeOf(id)).next
    if (first) drafts.change(placeOf(id), { next: [changeNext(first, event), ...rest] })
  }

  return {
    text: draft.text,
    files: draft.files ?? noFiles,
    next: draft.next,
    setText(text: string) {
      if (text === '') edited.current = null
      drafts.change(place, { text })
    },
    setFiles(files: (now: readonly AttachedFile[]) => readonly AttachedFile[], id: BranchId = branchId) {
      drafts.change(placeOf(id), { files: files(drafts.at(placeOf(id)).files ?? noFiles) })
    },

    /**
     * Adds words and files to the draft of a branch, before its present content.
     *
     * @param messageId of the message that they are, where it was sent
     */
    putBack(written: Pick<Draft, 'text' | 'files'>, id: BranchId = branchId, messageId?: MessageId) {
      drafts.putBack(placeOf(id), written, messageId)
    },
    clear: (id: BranchId) => drafts.change(placeOf(id), { text: '', files: noFiles }),
    /** Clears the box for a message that leaves from it, which is kept until it is settled. */
    send: (message: SentMessage, id: BranchId) =>
      drafts.send(placeOf(id), message, chatId, { text: '', files: noFiles }),
    settle: (id: MessageId) => drafts.settle(id),
    /** The id of a message that came back, if it is sent again as it was. */
    idOf: (written: Pick<Draft, 'text' | 'files'>, id: BranchId) => drafts.idOf(placeOf(id), written),

    /** Keeps a message until the replies before it end; `false` where none is being written. */
    queue(text: string): boolean {
      if (!isWriting(branchId)) return false
      const { next, files } = drafts.at(place)
      const message = nextMessage(text, index.branch(branchId)?.headId ?? null, files)
      const behind = next.findIndex(({ id }) => id === edited.current)
      edited.current = null
      drafts.change(place, {
        text: '',
        files: noFiles,
        next: next.toSpliced(behind < 0 ? next.length : behind, 0, message),
      })
      return true
    },
    /** Takes a message that waits back into the box; sent again during the reply, it has its old place. */
    editNext(id: MessageId) {
      const { next } = drafts.at(place)
      const at = next.findIndex((message) => message.id === id)
      const message = next[at]
      if (!message) return
      edited.current = next[at + 1]?.id ?? null
      drafts.change(place, { next: next.toSpliced(at, 1) })
      drafts.putBack(place, message)
    },
    /** Removes a message that waits; answers with the way to bring it back. */
    removeNext(id: MessageId): () => void {
      const { next } = drafts.at(place)
      const at = next.findIndex((message) => message.id === id)
      drafts.change(place, { next: next.toSpliced(at, 1) })
      return () =>
        drafts.change(place, { next: drafts.at(place).next.toSpliced(at, 0, ...next.slice(at, at + 1)) })
    },
    /** Says what happened to the first message that waits on a branch. */
    tell,
    /** Moves the draft of a branch that is left to another. */
    leave: (left: BranchId, backTo: BranchId) => drafts.carry(placeOf(left), placeOf(backTo), false),

    /** Takes the messages whose turn has come: of each branch the first, when the reply before it has ended well. */
    takeDue(): { branchId: BranchId; message: NextMessage }[] {
      return drafts.waiting().flatMap(([at, next]) => {
        const id = branches.find((branch) => placeOf(branch.id) === at)?.id
        if (id === undefined || isWriting(id)) return []
        if (next.phase.is === 'waiting')
          tell(id, { type: 'reply over', end: replyEnd(index, id, next.after) })
        const [now] = drafts.at(at).next
        if (now?.phase.is !== 'due') return []
        const message = drafts.take(at, now.id, chatId, headOf(index, id))
        return message ? [{ branchId: id, message }] : []
      })
    },
  }
}

export type DraftsOfChat = ReturnType<typeof useDrafts>

/** True when a chat is stored; undefined where that cannot be learned now. */
async function isChatThere(api: Api, chatId: ChatId): Promise<boolean | undefined> {
  try {
    await readSince(api, chatId, 0)
    return true
  } catch (error) {
    return isGone(error) ? false : undefined
  }
}
