import { expect, it, vi } from 'vitest'
import { newId } from '@/lib/events'
import { handleAuth } from '@/lib/server/api/access'
import { chatView } from '@/lib/server/pages/pages'
import { chatWhole } from '@/testing/fixtures/provider-replies'
import { headersUnderWay, inRequestOf, tasksAfter } from '@/testing/worlds/framework'
import { useGateway } from '@/testing/worlds/gateway-world'
import { Browser } from '@/testing/worlds/identity-world'
import { onOneDatabase } from '@/testing/worlds/open-stores'

const tasks = tasksAfter()
headersUnderWay()

onOneDatabase('the place that an agent is told', ({ name }) => {
  const gateway = useGateway(name)

  const user = (content: string) => ({ role: 'user', content })
  const assistant = (content: string) => ({ role: 'assistant', content })
  /** A person at a page, whose agent has a key of theirs. */
  const arrive = async () => {
    const browser = new Browser(handleAuth, 'http://localhost:3000')
    const { id } = (await browser.post('sign-in/anonymous')).body.user as { id: string }
    const made = await gateway.world.services.apiKeys.create(id, { id: newId(), name: 'agent' })
    return {
      agent: { authorization: `Bearer ${made?.made && made.key}` },
      page: { headers: new Headers({ cookie: browser.cookie, host: 'localhost:3000' }) },
    }
  }
  const call = async (agent: Record<string, string>, ...messages: { role: string; content: string }[]) => {
    gateway.given.answer = ({ body }) => ({
      pieces: chatWhole({ id: 'a reply', text: `said ${body.messages.at(-1).content}` }),
    })
    const response = await gateway.post('chat/completions', { model: 'gpt-4.1', messages }, agent)
    await response.text()
    return response.headers
  }

  it('given a reply that is still being stored, when its branch is opened, then the page shows that branch', async () => {
    // given a second attempt below a reply, whose branch is not there yet
    const { agent, page } = await arrive()
    await call(agent, user('Fish?'))
    await Promise.all(tasks)
    await call(agent, user('Fish?'), assistant('said Fish?'), user('Bream?'))
    await Promise.all(tasks)
    const { store, reads } = gateway.world.services.ports
    const [commit, held] = [store.commit.bind(store), Promise.withResolvers<void>()]
    vi.spyOn(store, 'commit').mockImplementation(async (change) => {
      await held.promise
      return commit(change)
    })
    const told = await call(agent, user('Fish?'), assistant('said Fish?'), user('Sole?'))
    const [chatId, branchId] = ['chat', 'branch'].map((what) => told.get(`x-ramify-${what}`) ?? '')
    // when a person opens the branch, which is stored after that was read
    const window = reads.window.bind(reads)
    const read = vi.spyOn(reads, 'window').mockImplementation(async (...asked) => {
      const found = await window(...asked)
      held.resolve()
      return found
    })
    const view = await inRequestOf(page, () => chatView(chatId ?? '', branchId))
    // then
    expect(view?.branchId).toBe(branchId)
    // the page has asked for that branch twice, and never for the one that the chat opens on
    expect(read.mock.calls.map(([, , { branch }]) => branch)).toEqual([branchId, branchId])
  })
})
