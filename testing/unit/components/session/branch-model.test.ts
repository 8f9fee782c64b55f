import { describe, expect, it } from 'vitest'
import { modelToName } from '@/components/session/branch-model'
import { type ChatSession, changeChat, openChat } from '@/components/session/chat-session'
import { branch, sketchGraph } from '@/testing/worlds/sketch-graph'

const graph = {
  ...sketchGraph('a', 'a>b'),
  branches: [{ ...branch('main', 'b'), model: 'one' }, branch('other', 'a')],
}
const chat = (unsaved = false): ChatSession =>
  openChat({ graph, branchId: 'main', window: { start: 0, messages: [] }, partial: false } as never, unsaved)
const choose = (state: ChatSession, branchId: string, model: string) =>
  changeChat(state, { type: 'choose', choice: { branchId, model } })

describe('the model that a request names', () => {
  it('given a stored branch, then none: the branch has its own', () => {
    expect(modelToName(chat(), 'main', 'last')).toBeUndefined()
    expect(modelToName(chat(), 'other', 'last')).toBeUndefined()
  })

  it('given a new chat, then the last one that was chosen', () => {
    expect(modelToName(chat(true), 'main', 'last')).toBe('last')
  })

  it('given a choice that the server has not taken yet, then the chosen one, on its branch alone', () => {
    const state = choose(chat(), 'main', 'two')
    expect(modelToName(state, 'main', 'last')).toBe('two')
    expect(modelToName(state, 'other', 'last')).toBeUndefined()
  })

  it('given a choice that the server has taken, then none; given a later one, then that stays', () => {
    const first = choose(chat(), 'main', 'two')
    const { chosen } = first
    if (!chosen) throw new Error('Nothing is chosen')
    expect(changeChat(first, { type: 'chosen', choice: chosen }).chosen).toBeNull()
    const second = choose(first, 'main', 'three')
    expect(changeChat(second, { type: 'chosen', choice: chosen }).chosen?.model).toBe('three')
  })

  it.each([
    ['another model than it was sent with', 'two', { branchId: 'stored', model: 'two' }],
    ['the model it was sent with', 'one', null],
  ])(
    'given a chat that is stored while %s is chosen, then the choice is kept until its branch has it',
    (_, model, chosen) => {
      const stored = { ...branch('stored', 'b'), model: 'one' }
      const delta = { chatId: graph.chatId, seq: 9, branches: [stored], activeBranchId: 'stored' }
      const state = changeChat(choose(chat(true), 'main', model), { type: 'delta', delta })
      expect([state.branchId, state.chosen]).toEqual(['stored', chosen])
    },
  )

  it('given another choice on another page, then the branch has it with the next change that is told', () => {
    const [main] = graph.branches
    const delta = {
      chatId: graph.chatId,
      seq: 9,
      branches: [{ ...branch('main', 'b'), ...main, model: 'two' }],
    }
    expect(changeChat(chat(), { type: 'delta', delta }).index.branch('main')?.model).toBe('two')
  })
})
