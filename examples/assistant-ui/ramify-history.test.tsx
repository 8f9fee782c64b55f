// @vitest-environment happy-dom
import {
  type AssistantRuntime,
  AssistantRuntimeProvider,
  type ChatModelAdapter,
  useLocalRuntime,
} from '@assistant-ui/react'
import { InMemoryContextStore } from '@ramify/context'
import { act } from 'react'
import { createRoot } from 'react-dom/client'
import { expect, test, vi } from 'vitest'
import { ramifyHistory } from './ramify-history'

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })

const store = new InMemoryContextStore()
const history = ramifyHistory(store, { chatId: 'trip', userId: 'ada' })
const echo: ChatModelAdapter = {
  run: async ({ messages }) => {
    const [part] = messages.at(-1)?.content ?? []
    return { content: [{ type: 'text', text: `${part?.type === 'text' ? part.text : ''}!` }] }
  },
}

/** A page with the thread, and the thread as the page has it. */
async function openPage() {
  let runtime: AssistantRuntime | undefined
  function Page() {
    runtime = useLocalRuntime(echo, { adapters: { history } })
    return <AssistantRuntimeProvider runtime={runtime}>{null}</AssistantRuntimeProvider>
  }
  const root = createRoot(document.createElement('div'))
  await act(async () => root.render(<Page />))
  const thread = () => {
    if (!runtime) throw new Error('The page has not rendered')
    return runtime.thread
  }
  const texts = () =>
    thread()
      .getState()
      .messages.map(({ content: [part] }) => (part?.type === 'text' ? part.text : ''))
  return {
    thread,
    texts,
    /** Says a text below a message, and waits for the reply to be stored. */
    async say(text: string, parentId: string | null) {
      await act(async () => {
        thread().append({ role: 'user', content: [{ type: 'text', text }], parentId, startRun: true })
      })
      await act(() =>
        vi.waitFor(async () => {
          expect(texts().at(-1)).toBe(`${text}!`)
          const head = (await store.getActiveBranch('trip'))?.headMessageId
          expect(head).toBe(thread().getState().messages.at(-1)?.id)
        }),
      )
    },
    close: () => act(async () => root.unmount()),
  }
}

test('given a thread, when its question is asked otherwise and the page is opened anew, then both branches are there, the later one shown', async () => {
  const first = await openPage()
  await first.say('Lisbon', null)
  await first.say('Ghent', null)
  await first.close()

  const second = await openPage()
  await act(() => vi.waitFor(() => expect(second.texts()).toEqual(['Ghent', 'Ghent!'])))
  const question = second.thread().getMessageByIndex(0)
  expect(question.getState().branchCount).toBe(2)

  await act(async () => question.switchToBranch({ position: 'previous' }))
  expect(second.texts()).toEqual(['Lisbon', 'Lisbon!'])
  await second.say('And then?', second.thread().getState().messages.at(-1)?.id ?? null)
  await second.close()

  const branches = await store.listBranches('trip')
  const chains = await Promise.all(
    branches.map(({ headMessageId }) => store.getMessageChain('trip', headMessageId ?? '')),
  )
  expect(chains.map((chain) => chain.length)).toEqual([4, 2])
})
