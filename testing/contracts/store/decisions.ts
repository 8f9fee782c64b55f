import { describe, expect, test } from 'vitest'
import type { Step } from '@/lib/context'
import {
  type ChatCommand,
  decide,
  fold,
  type LoggedEvent,
  logFacts,
  newId,
  noChat,
  threadAt,
} from '@/lib/events'
import { type GetStore, line, Story } from './story'

/** The same in a change's words; those of a thread append and open, as `run_command` has them do. */
function stepsOf(story: Story, state: ReturnType<typeof noChat>, command: ChatCommand): Step[] {
  switch (command.kind) {
    case 'create-thread':
      throw new Error(`${story.chatId} is there already`)
    case 'send-message': {
      const expectedHead = state.threads.get(command.threadId)?.headMessageId ?? null
      const messages = [line(command.messageId)]
      return [{ kind: 'append', branchId: command.threadId, expectedHead, messages }]
    }
    case 'fork-thread': {
      const { threadId, sourceThreadId, eventNumber } = command
      const { head: at, contextId } = threadAt(state, sourceThreadId, eventNumber)
      const after = state.threads.get(sourceThreadId)?.name ?? 'nowhere'
      const fork = { threadId: sourceThreadId, eventNumber }
      const context = contextId === null ? {} : { contextId }
      return [
        { kind: 'open-branch', branchId: threadId, after, at, fork, activate: false, ...context },
        { kind: 'mark-move', move: 'branch' },
      ]
    }
    default:
      return [command]
  }
}

/** Given a question on main with another context, and a reply that remembered something. */
async function changeContexts(story: Story): Promise<void> {
  const contexts = ['first', 'second', 'third'].map((id) => ({ id, fragments: [], model: id }))
  const append = { kind: 'append', branchId: story.main } as const
  const reply = line('a0', { contextId: 'third' })
  await story.commit(
    [
      { ...append, expectedHead: 'a1', contextId: 'first', messages: [line('q0')] },
      { ...append, expectedHead: 'q0', contextId: 'second', messages: [reply] },
    ],
    { contexts },
  )
}

const told = (events: LoggedEvent[]) =>
  events.map(({ seq, streamId, eventNumber, type, version, payload }) => ({
    ...{ seq, streamId, eventNumber, type, version, payload },
  }))

export function describeDecisions(getStore: GetStore): void {
  describe('what is decided on the log alone', () => {
    test('given a history, when commands are carried out, then the store logs what was decided, and refuses what was refused', async () => {
      const story = await Story.begin(getStore())
      const { main, store, chatId } = story
      await story.say(main, null, 'q1', 'a1')
      await changeContexts(story)
      const [fork, deep, nested] = [newId(), newId(), newId()]
      const commands: ChatCommand[] = [
        // main has 9 events, and after each of them another context may be in force
        ...Array.from({ length: 10 }, (_, index) => ({
          ...{ kind: 'fork-thread' as const, threadId: newId() },
          ...{ sourceThreadId: main, eventNumber: index + 1 },
        })),
        { kind: 'send-message', threadId: main, messageId: 'q2' },
        { kind: 'send-message', threadId: main, messageId: 'q2' },
        { kind: 'send-message', threadId: newId(), messageId: 'q3' },
        { kind: 'fork-thread', threadId: fork, sourceThreadId: main, eventNumber: 4 },
        { kind: 'fork-thread', threadId: deep, sourceThreadId: fork, eventNumber: 6 },
        { kind: 'fork-thread', threadId: newId(), sourceThreadId: fork, eventNumber: 7 },
        { kind: 'fork-thread', threadId: newId(), sourceThreadId: newId(), eventNumber: 1 },
        { kind: 'send-message', threadId: deep, messageId: 'q4' },
        { kind: 'fork-thread', threadId: nested, sourceThreadId: deep, eventNumber: 1 },
        { kind: 'switch-branch', branchId: main },
        { kind: 'switch-branch', branchId: fork },
        { kind: 'archive-branch', branchId: fork },
        { kind: 'archive-branch', branchId: deep },
        { kind: 'archive-branch', branchId: deep },
        { kind: 'unarchive-branch', branchId: deep },
        { kind: 'unarchive-branch', branchId: deep },
        { kind: 'rename-branch', branchId: deep, name: 'main' },
        { kind: 'rename-branch', branchId: deep, name: 'train' },
        { kind: 'rename-branch', branchId: deep, name: 'train' },
        { kind: 'title-branch', branchId: deep, title: 'By train' },
        { kind: 'title-branch', branchId: deep, title: 'another one' },
        { kind: 'title-branch', branchId: newId(), title: 'nowhere' },
        { kind: 'set-context', branchId: deep, expectedContextId: 'second', contextId: 'third' },
        { kind: 'set-context', branchId: deep, expectedContextId: null, contextId: 'first' },
        { kind: 'set-context', branchId: deep, expectedContextId: null, contextId: 'third' },
        { kind: 'set-context', branchId: main, expectedContextId: null, contextId: 'third' },
        { kind: 'set-context', branchId: main, expectedContextId: 'second', contextId: 'third' },
        { kind: 'set-context', branchId: main, expectedContextId: 'second', contextId: 'third' },
        { kind: 'set-context', branchId: main, expectedContextId: 'second', contextId: 'first' },
        { kind: 'set-context', branchId: newId(), expectedContextId: null, contextId: 'first' },
        { kind: 'save-checkpoint', checkpointId: newId(), name: 'mark', messageId: 'q1' },
        { kind: 'save-checkpoint', checkpointId: newId(), name: 'mark', messageId: 'q4' },
        { kind: 'save-checkpoint', checkpointId: newId(), name: 'mark', messageId: 'nowhere' },
        { kind: 'remove-checkpoint', name: 'mark' },
        { kind: 'remove-checkpoint', name: 'mark' },
        { kind: 'update-chat', title: 'Rome', metadata: { days: 3 } },
        { kind: 'update-chat', title: 'Rome' },
        { kind: 'update-chat', title: 'Milan', instead: 'Porto' },
        { kind: 'update-chat', title: 'Milan', instead: 'Rome' },
        { kind: 'update-chat', title: 'Porto', instead: 'Rome', metadata: { days: 4 } },
      ]

      for (const command of commands) {
        const events = await store.getEvents(chatId)
        const state = fold(noChat(chatId), events)
        const write = () => story.commit(stepsOf(story, state, command))
        let decided: LoggedEvent[]
        try {
          decided = logFacts(state, decide(state, command), 1)
        } catch (refusal) {
          // then by the same name, and nothing is written
          const kind = (refusal as Error).constructor as new (...args: never[]) => Error
          await story.refuses(write, kind)
          continue
        }
        await write()
        const logged = await store.getEvents(chatId, { after: state.seq })
        expect(told(logged), JSON.stringify(command)).toEqual(told(decided))
      }
    })
  })
}
