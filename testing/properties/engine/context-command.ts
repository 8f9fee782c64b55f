import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { type ContextData, ContextMovedError, canonicalJson, type Step } from '@/lib/context'
import { chatCommand, index, pick, type WeightedCommands } from './command'
import { append } from './model'
import { idOf } from './predict-save'
import { outcome } from './world'

/** Contexts named by their content, as the use cases name them. */
export const namedContexts = ['demo:one', 'demo:two', null].map((model): ContextData => {
  const fragments = [{ name: 'hint', data: { b: `for ${model}`, a: [1, 0.5] } }]
  return {
    id: createHash('sha256').update(canonicalJson({ fragments, model })).digest('hex'),
    fragments,
    model,
  }
})

/** A message that changes its branch's context: another model, something remembered. */
const changeContext = chatCommand(
  'changeContext',
  fc.record({ index, which: fc.nat({ max: 2 }) }),
  async ({ index, which }, chat, world, model) => {
    const branch = pick(chat.branches, index)
    const context = pick(namedContexts, which)
    const message = { id: model.fresh('c'), role: 'user' as const, text: model.fresh('text ') }
    const { id, role, text } = message
    const data = { id, role, parts: [{ type: 'text', text }] }
    await world.store.commit({
      chatId: world.chatId,
      at: Date.now(),
      contexts: [context],
      steps: [
        {
          kind: 'append',
          branchId: idOf(branch),
          contextId: context.id,
          expectedHead: branch.head ? idOf(branch.head) : null,
          messages: [{ id, name: role, type: 'message', data, preview: text, createdAt: Date.now() }],
        },
      ],
    })
    branch.context = context.id
    append(chat, branch, message)
  },
)

/** A person's change of a branch's context, from the one that is in force or from one that was before. */
const setContext = chatCommand(
  'setContext',
  fc.record({ index, which: fc.nat({ max: 2 }), stale: fc.boolean() }),
  async ({ index, which, stale }, chat, world) => {
    const branch = pick(chat.branches, index)
    const context = pick(namedContexts, which)
    const expectedContextId = stale ? 'another' : branch.context
    const isRefused = stale && branch.context !== context.id
    const steps: Step[] = [
      { kind: 'set-context', branchId: idOf(branch), expectedContextId, contextId: context.id },
    ]
    const { chatId } = world
    const done = world.store.commit({ chatId, at: Date.now(), contexts: [context], steps })
    await outcome(isRefused ? ContextMovedError : undefined, done)
    if (!isRefused) branch.context = context.id
  },
)

export const contextCommands: WeightedCommands = [
  { weight: 4, arbitrary: changeContext },
  { weight: 4, arbitrary: setContext },
]
