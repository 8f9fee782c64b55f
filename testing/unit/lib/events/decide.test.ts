import { describe, expect, test } from 'vitest'
import type { Fact } from '@/lib/events/event'
import {
  BranchActiveError,
  ExpectedVersionError,
  MessageExistsError,
  NameTakenError,
  NotFoundError,
} from '@/lib/events/refusals'
import { answered, asked, CHAT, created, forked, given } from '@/testing/worlds/given'

/** main: 1 ThreadCreated, 2 q1, 3 a1 and 4 its checkpoint, 5 q2 */
const talk: Fact[] = [created('main'), asked('main', 'q1'), ...answered('main', 'a1'), asked('main', 'q2')]
/** side forked at 3: 4 ThreadCreated, 5 ThreadForked, 6 q3 */
const side: Fact[] = [
  created('side', { name: 'main-v2', head: 'a1' }),
  forked('side', 'main', 3),
  asked('side', 'q3'),
]
const madeBranch = (first_seq: number) => ofChat('MoveMade', { move: 'branch', first_seq, previous: null })
const ofChat = (type: Fact['type'], payload: object) => ({ streamId: CHAT, type, payload }) as Fact

describe('threads', () => {
  test('given nothing, when a thread is made, then it is the first of its chat', () => {
    const create = { kind: 'create-thread', threadId: 'main' } as const
    given().when(create).then(created('main'))
    given()
      .when({ ...create, title: 'Trip', contextId: 'c1' })
      .then(created('main', { context: 'c1' }), ofChat('ChatRenamed', { title: 'Trip' }))
    given(...talk)
      .when({ ...create, threadId: 'other' })
      .then()
  })

  test('given a thread, when it is forked after an event, then the fork begins where it stood, and goes on from there', () => {
    const fork = (eventNumber: number) => ({
      ...({ kind: 'fork-thread', threadId: 'new', sourceThreadId: 'main', eventNumber } as const),
    })
    const begins = (number: number, over: { name?: string; head?: string }) => [
      created('new', { name: 'main-v2', ...over }),
      forked('new', 'main', number),
    ]
    given(...talk)
      .when(fork(1))
      .then(...begins(1, {}), madeBranch(6))
    given(...talk)
      .when(fork(2))
      .then(...begins(2, { head: 'q1' }), madeBranch(6))
    given(...talk)
      .when(fork(4))
      .then(...begins(4, { head: 'a1' }), madeBranch(6))
    given(...talk, ...side)
      .when(fork(5))
      .then(...begins(5, { name: 'main-v3', head: 'q2' }), madeBranch(9))
  })

  test('given a fork, when it is forked after an event it inherits, then the new one begins there too', () => {
    const fork = { kind: 'fork-thread', threadId: 'new', sourceThreadId: 'side' } as const
    const begins = (number: number, head: string) => [
      created('new', { name: 'main-v2-v2', head }),
      forked('new', 'side', number),
    ]
    const told = given(...talk, ...side)
    told.when({ ...fork, eventNumber: 2 }).then(...begins(2, 'q1'), madeBranch(9))
    told.when({ ...fork, eventNumber: 5 }).then(...begins(5, 'a1'), madeBranch(9))
    told.when({ ...fork, eventNumber: 6 }).then(...begins(6, 'q3'), madeBranch(9))
  })

  test('given a thread whose context has changed, when it is forked, then the fork has the one in force there', () => {
    const told = given(
      ...[created('main', { context: 'c1' }), asked('main', 'q1')],
      ...answered('main', 'a1', { context: 'c2' }),
      { streamId: 'main', type: 'ContextChanged', payload: { context_id: 'c3' } },
    )
    const contextAt = (eventNumber: number) => {
      const [fact] = told.decides({
        kind: 'fork-thread',
        threadId: 'new',
        sourceThreadId: 'main',
        eventNumber,
      })
      return fact?.type === 'ThreadCreated' ? fact.payload.context_id : undefined
    }
    expect([1, 2, 3, 4, 5].map(contextAt)).toEqual(['c1', 'c1', 'c1', 'c2', 'c3'])
  })

  test('given a thread, when a fork names no event of it, or no thread, then it is not found', () => {
    const fork = { kind: 'fork-thread', threadId: 'new', sourceThreadId: 'main' } as const
    for (const eventNumber of [0, 6]) {
      given(...talk)
        .when({ ...fork, eventNumber })
        .then(NotFoundError)
    }
    given(...talk)
      .when({ ...fork, sourceThreadId: 'nowhere', eventNumber: 1 })
      .then(NotFoundError)
  })

  test('given a thread, when a message is sent to it, then it is added, if the thread is where its writer thinks', () => {
    const send = { kind: 'send-message', threadId: 'main', messageId: 'q3' } as const
    const told = given(...talk)
    told.when(send).then(asked('main', 'q3'))
    told.when({ ...send, expectedVersion: 5 }).then(asked('main', 'q3'))
    told.when({ ...send, expectedVersion: 4 }).then(ExpectedVersionError)
    told.when({ ...send, messageId: 'a1' }).then(MessageExistsError)
    told.when({ ...send, threadId: 'nowhere' }).then(NotFoundError)
  })
})

describe('branches', () => {
  const told = given(...talk, ...side)

  test('given two, when the chat is switched, then it opens on the other one; switched to its own, nothing happens', () => {
    const switched = ofChat('BranchSwitched', { branch_id: 'side', from_branch_id: 'main' })
    told.when({ kind: 'switch-branch', branchId: 'side' }).then(switched)
    told.when({ kind: 'switch-branch', branchId: 'main' }).then()
    told.when({ kind: 'switch-branch', branchId: 'nowhere' }).then(NotFoundError)
  })

  test('given two, when one is renamed, then not to the name of the other', () => {
    const rename = { kind: 'rename-branch', branchId: 'side' } as const
    const renamed = { branch_id: 'side', name: 'train', previous_name: 'main-v2' }
    told.when({ ...rename, name: 'train' }).then(ofChat('BranchRenamed', renamed))
    told.when({ ...rename, name: 'main-v2' }).then()
    told.when({ ...rename, name: 'main' }).then(NameTakenError)
    told.when({ ...rename, branchId: 'nowhere', name: 'train' }).then(NotFoundError)
  })

  test('given two, when one is archived, then not the one the chat opens on; archived twice, it is once', () => {
    told
      .when({ kind: 'archive-branch', branchId: 'side' })
      .then(ofChat('BranchArchived', { branch_id: 'side' }))
    told.when({ kind: 'archive-branch', branchId: 'main' }).then(BranchActiveError)
    told.when({ kind: 'unarchive-branch', branchId: 'side' }).then()

    const archived = given(...talk, ...side, ofChat('BranchArchived', { branch_id: 'side' }))
    archived.when({ kind: 'archive-branch', branchId: 'side' }).then()
    archived
      .when({ kind: 'unarchive-branch', branchId: 'side' })
      .then(ofChat('BranchRestored', { branch_id: 'side' }))
  })
})

describe('checkpoints', () => {
  const saved = ofChat('CheckpointSaved', { name: 'mark', message_id: 'q1', checkpoint_id: 'k1' })

  test('given a message, when a checkpoint is saved there, then a new name is saved and a known one moves', () => {
    const save = { kind: 'save-checkpoint', checkpointId: 'k1', name: 'mark', messageId: 'q1' } as const
    const moved = { name: 'mark', message_id: 'a1', from_message_id: 'q1' }
    given(...talk)
      .when(save)
      .then(saved)
    given(...talk, saved)
      .when({ ...save, checkpointId: 'k2', messageId: 'a1' })
      .then(ofChat('CheckpointMoved', moved))
    given(...talk)
      .when({ ...save, messageId: 'nowhere' })
      .then(NotFoundError)
  })

  test('given a checkpoint, when it is removed, then it can be once', () => {
    const remove = { kind: 'remove-checkpoint', name: 'mark' } as const
    const removed = ofChat('CheckpointRemoved', { name: 'mark', message_id: 'q1' })
    given(...talk, saved)
      .when(remove)
      .then(removed)
    given(...talk, saved, removed)
      .when(remove)
      .then(NotFoundError)
  })
})

describe('the chat', () => {
  test('given a chat, when it is updated, then a title it has already is not said again', () => {
    const titled = ofChat('ChatRenamed', { title: 'Rome' })
    const updated = ofChat('ChatUpdated', { metadata: { days: 3 } })
    given(...talk)
      .when({ kind: 'update-chat', title: 'Rome', metadata: { days: 3 } })
      .then(titled, updated)
    given(...talk, titled)
      .when({ kind: 'update-chat', title: 'Rome' })
      .then()
    given().when({ kind: 'update-chat', title: 'Rome' }).then(NotFoundError)
  })
})
