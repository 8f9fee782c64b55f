import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { Exchanged, RemoteState } from '@/lib/protocol'
import { type ChatPage, expectCount } from '@/testing/page/chat-page'
import { chatId, forkedChat, intercept, onPhone, openChat } from '@/testing/page/given'
import { lookInAllWays } from '@/testing/page/look'
import { act } from '@/testing/page/server'

// A chat and other servers: pushed and pulled. The other server is one that takes a key; its answers are given by each test.

/** Given a person with these remotes, and a chat with two branches. */
async function givenRemotes(...names: string[]): Promise<ChatPage> {
  const { remote } = await act('ownServers')
  for (const name of names) {
    const added = await fetch('/api/remotes', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name, url: remote, key: 'rk_a-key' }),
    })
    expect(added.status).toBe(201)
  }
  return openChat(forkedChat)
}

const branch = (
  name: string,
  state: RemoteState['branches'][number]['state'],
  [ahead, behind]: readonly [number, number] = [0, 0],
): RemoteState['branches'][number] => ({
  name,
  state,
  head_message_id: 'a2',
  remote_head_message_id: 'a1',
  ahead,
  behind,
})
const state = (...branches: RemoteState['branches']): RemoteState => ({
  chat_id: chatId(),
  remote: 'work',
  branches,
})
const exchanged = (more: Partial<Exchanged>): Exchanged => ({
  ...state(branch('main', 'equal'), branch('main-v2', 'equal')),
  received: 0,
  moved: [],
  diverged: [],
  advice: null,
  ...more,
})

const more = page.getByRole('button', { name: 'More about this chat' })
const item = (name: string) => page.getByRole('menuitem', { name, exact: true })
const dialog = (name: string) => page.getByRole('dialog', { name })

test('given no remote, then neither the menu nor the list of branches speaks of one', async () => {
  await givenRemotes()
  await more.click()
  await expect.element(item('Export…')).toBeVisible()
  await expectCount(item('Push…'), 0)
  await expectCount(item('Pull'), 0)
})

test('given a remote that is behind, when the chat is pushed, then the dialog says how branches stand, before and after', async () => {
  await givenRemotes('work')
  intercept(/remotes\/work\/state/, () =>
    Response.json(state(branch('main', 'ahead', [2, 1]), branch('main-v2', 'only_here', [4, 0]))),
  )
  // the list of branches says how the one that is read stands
  await page.getByRole('combobox', { name: 'Branch' }).click()
  await expect.element(page.getByText('not on work')).toBeVisible()
  await userEvent.keyboard('{Escape}')

  await more.click()
  await item('Push…').click()
  const push = dialog('Push')
  await expect
    .element(push.getByRole('listitem').filter({ hasText: /^Main line/ }))
    .toMatchTextContent(/2 ahead, 1 behind work/)
  await lookInAllWays('push')

  // when it is refused, then the words say what to do
  let answer = Response.json(
    { type: 'about:blank', title: 'x', status: 409, detail: 'Pull them first.', code: 'not_fast_forward' },
    { status: 409 },
  )
  const asked: unknown[] = []
  intercept(/remotes\/work\/push/, ({ init }) => {
    asked.push(JSON.parse(String(init?.body)))
    return answer
  })
  await push.getByRole('button', { name: 'Push to work' }).click()
  await expect.element(push.getByRole('alert')).toHaveTextContent('Pull them first.')

  // when it is done, then the branches stand alike
  answer = Response.json(exchanged({ moved: ['main', 'main-v2'] }))
  await push.getByRole('button', { name: 'Push to work' }).click()
  await expect.element(push.getByRole('status')).toHaveTextContent('Pushed 2 branches to work.')
  await expectCount(push.getByText('same as work'), 2)
  expect(asked).toEqual([{ chat_id: chatId() }, { chat_id: chatId() }])
  await lookInAllWays('pushed')
  await userEvent.keyboard('{Escape}')
  await expectCount(push, 0)
  // and the hint of the menu, which has the focus again, catches no click
  const hint = page.getByRole('tooltip').element().closest('[data-radix-popper-content-wrapper]')
  expect(hint && getComputedStyle(hint).pointerEvents).toBe('none')
})

test('given one remote, when the chat is pulled by touch, then it is asked at once, and its messages are told', async () => {
  await onPhone()
  await givenRemotes('work')
  intercept(/remotes\/work\/state/, () => Response.json(state(branch('main', 'behind', [0, 2]))))
  intercept(/remotes\/work\/pull/, () => Response.json(exchanged({ received: 2, moved: ['main'] })))
  await more.click()
  await item('Pull').click()
  await expect.element(dialog('Pull').getByRole('status')).toHaveTextContent('Received 2 messages from work.')
})

test('given several remotes, when the chat is pulled, then the person says from which', async () => {
  await givenRemotes('work', 'home')
  intercept(/remotes\/\w+\/state/, () => Response.json(state(branch('main', 'equal'))))
  const asked: string[] = []
  intercept(/remotes\/\w+\/(pull|state)/, ({ url }) => {
    asked.push(url.replace(/^.*remotes\/|\?.*$/g, ''))
    return Response.json(exchanged({ remote: 'work' }))
  })
  await more.click()
  await item('Pull').click()
  const pull = dialog('Pull')
  await expect.element(pull.getByRole('button', { name: 'Pull from home' })).toBeVisible()
  await pull.getByRole('combobox', { name: 'Remote' }).click()
  await page.getByRole('option', { name: 'work' }).click()
  await pull.getByRole('button', { name: 'Pull from work' }).click()
  await expect.element(pull.getByRole('status')).toHaveTextContent('work has nothing new.')
  expect(asked).toEqual(['home/state', 'work/state', 'work/pull'])
})

test('given a branch that both sides have gone on with, when it is pulled, then its merge is reviewed', async () => {
  await givenRemotes('work')
  const { branches } = await (await fetch(`/api/chats/${chatId()}/graph`)).json()
  const [main, other] = branches as { id: string; name: string }[]
  intercept(/remotes\/work\/state/, () => Response.json(state(branch('main', 'diverged', [2, 2]))))
  intercept(/remotes\/work\/pull/, () =>
    Response.json(
      exchanged({
        received: 2,
        diverged: [
          {
            name: 'main',
            source: 'main-v2',
            source_thread_id: other?.id ?? '',
            target_thread_id: main?.id ?? '',
          },
        ],
      }),
    ),
  )
  await more.click()
  await item('Pull').click()
  const merge = dialog('Merge')
  await expect.element(merge.getByRole('textbox', { name: 'Brief' })).toBeVisible()
  await expectCount(dialog('Pull'), 0)
  await expect
    .element(merge.getByText('Both sides have gone on. This brings what work has found'))
    .toBeVisible()
  await expect.element(merge.getByRole('combobox', { name: 'Merge into' })).toMatchTextContent(/main|Main/)
})
