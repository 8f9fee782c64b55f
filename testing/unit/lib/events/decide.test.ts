import { describe, test } from 'vitest'
import type { Fact } from '@/lib/events/event'
import * as refusals from '@/lib/events/refusals'
import type { AppendMessages } from '@/lib/events/step'
import { answered, asked, CHAT, created, forked, given } from '@/testing/worlds/given'

const { BranchActiveError, MessageExistsError, NameTakenError } = refusals
const { NotFoundError } = refusals

/** main: 1 ThreadCreated, 2 q1, 3 a1 and 4 its checkpoint, 5 q2 */
const talk: Fact[] = [created('main'), asked('main', 'q1'), ...answered('main', 'a1'), asked('main', 'q2')]
/** side forked at 3: 4 ThreadCreated, 5 ThreadForked, 6 q3 */
const opened = created('side', { name: 'main-v2', head: 'a1' })
const side: Fact[] = [opened, forked('side', 'main', 3), asked('side', 'q3')]
const ofChat = (type: Fact['type'], payload: object) => ({ streamId: CHAT, type, payload }) as Fact

describe('threads', () => {
  const told = given(...talk)
  const forkedToo = given(...talk, ...side)
  const fork = (at: string | null, eventNumber: number, threadId = 'main') =>
    ({
      kind: 'open-branch',
      branchId: 'new',
      after: threadId === 'side' ? 'main-v2' : 'main',
      at,
      fork: { threadId, eventNumber },
      activate: false,
    }) as const

  test('given nothing, when a thread is made, then it is the first of its chat', () => {
    const create = { kind: 'create-thread', threadId: 'main' } as const
    given().when(create).then(created('main'))
    const renamed = ofChat('ChatRenamed', { title: 'Trip' })
    const titled = { ...create, title: 'Trip', contextId: 'c1' }
    given()
      .when(titled)
      .then(created('main', { context: 'c1' }), renamed)
    told.when({ ...create, threadId: 'other' }).then()
  })

  test.each([
    [1, 'main', 'main-v2', undefined],
    [2, 'main', 'main-v2', 'q1'],
    [4, 'main', 'main-v2', 'a1'],
    [5, 'main', 'main-v3', 'q2'],
    // what a fork inherits is its own too
    [2, 'side', 'main-v2-v2', 'q1'],
    [5, 'side', 'main-v2-v2', 'a1'],
    [6, 'side', 'main-v2-v2', 'q3'],
  ])(
    'given event %i of %s, when the thread is forked after it, then the fork begins where it stood',
    (eventNumber, sourceThreadId, name, head) => {
      const isAlone = name === 'main-v2'
      const first = created('new', { name, ...(head !== undefined && { head }) })
      const source = isAlone ? told : forkedToo
      source
        .when(fork(head ?? null, eventNumber, sourceThreadId))
        .then(first, forked('new', sourceThreadId, eventNumber))
    },
  )

  test('given a thread, when a fork names no event of it, or no thread, then it is not found', () => {
    for (const eventNumber of [0, 6]) told.when(fork(null, eventNumber)).then(NotFoundError)
    told.when(fork(null, 1, 'nowhere')).then(NotFoundError)
  })

  test('given a thread, when a message is sent to it, then it is added below its head, once', () => {
    const send = (id: string, branchId = 'main'): AppendMessages => {
      const message = { id, name: 'user', data: {}, preview: id, createdAt: 1 }
      return { kind: 'append', branchId, expectedHead: 'q2', messages: [message] }
    }
    told.when(send('q3')).then(asked('main', 'q3'))
    told.when(send('a1')).then(MessageExistsError)
    told.when(send('q3', 'nowhere')).then(NotFoundError)
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
    const isArchived = ofChat('BranchArchived', { branch_id: 'side' })
    const isRestored = ofChat('BranchRestored', { branch_id: 'side' })
    told.when({ kind: 'archive-branch', branchId: 'side' }).then(isArchived)
    told.when({ kind: 'archive-branch', branchId: 'main' }).then(BranchActiveError)
    told.when({ kind: 'unarchive-branch', branchId: 'side' }).then()
    const archived = given(...talk, ...side, isArchived)
    archived.when({ kind: 'archive-branch', branchId: 'side' }).then()
    archived.when({ kind: 'unarchive-branch', branchId: 'side' }).then(isRestored)
  })
})

describe('checkpoints', () => {
  const saved = ofChat('CheckpointSaved', { name: 'mark', message_id: 'q1', checkpoint_id: 'k1' })

  test('given a message, when a checkpoint is saved there, then a new name is saved and a known one moves', () => {
    const save = { kind: 'save-checkpoint', checkpointId: 'k1', name: 'mark', messageId: 'q1' } as const
    const moved = { name: 'mark', message_id: 'a1', from_message_id: 'q1' }
    const told = given(...talk)
    told.when(save).then(saved)
    told.when({ ...save, messageId: 'nowhere' }).then(NotFoundError)
    const again = { ...save, checkpointId: 'k2', messageId: 'a1' }
    given(...talk, saved)
      .when(again)
      .then(ofChat('CheckpointMoved', moved))
  })

  test('given a checkpoint, when it is removed, then it can be once', () => {
    const remove = { kind: 'remove-checkpoint', name: 'mark' } as const
    const removed = ofChat('CheckpointRemoved', { name: 'mark', message_id: 'q1' })
    const before = given(...talk, saved)
    before.when(remove).then(removed)
    const after = given(...talk, saved, removed)
    after.when(remove).then(NotFoundError)
  })
})

describe('the chat', () => {
  test('given a chat, when it is updated, then a title it has already is not said again', () => {
    const titled = ofChat('ChatRenamed', { title: 'Rome' })
    const updated = ofChat('ChatUpdated', { metadata: { days: 3 } })
    const told = given(...talk)
    told.when({ kind: 'update-chat', title: 'Rome', metadata: { days: 3 } }).then(titled, updated)
    const again = given(...talk, titled)
    again.when({ kind: 'update-chat', title: 'Rome' }).then()
    given().when({ kind: 'update-chat', title: 'Rome' }).then(NotFoundError)
  })
})
