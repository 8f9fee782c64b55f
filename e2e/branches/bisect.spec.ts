import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { type OpenAIServer, startOpenAIServer, textOf } from '@/testing/machines/openai-server'
import type { ChatPage } from '../support/chat-page'
import { sendTurn, signIn, userMessage } from '../support/openings'
import { look, onEveryScreen } from '../support/screens'
import { expect, providerPort, test } from '../support/test'

// Which message made a reply say something: found by a person, or by a text.

let provider: OpenAIServer
test.beforeEach(async () => {
  provider = await startOpenAIServer({
    port: providerPort(),
    answer: ({ messages }) => {
      const asked = textOf(messages.at(-1) ?? { role: 'user' })
      if (!asked.startsWith('Where')) return 'I will keep that in mind.'
      const all = messages.map((message) => textOf(message)).join('\n')
      return all.includes('upside down') ? 'Braga is in the **south** of it.' : 'Braga is in the north of it.'
    },
  })
})
test.afterEach(() => provider.close())

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Bisect', exact: true })

/** A chat whose third message turns the map over. */
async function seed(chat: ChatPage): Promise<void> {
  const { request } = chat.page
  const chatId = randomUUID()
  await signIn(request)
  const said = [
    'We go to Portugal',
    'We take the train',
    'Hold the map upside down',
    'We are two',
    'Where is Braga?',
  ]
  for (const text of said)
    await sendTurn(request, chatId, userMessage(text), { model: 'openai-compatible:scripted' })
  await chat.open(`/c/${chatId}`)
  await expect(chat.messages).toHaveCount(10)
}

async function openDialog(chat: ChatPage) {
  await chat.lastReply().hover()
  await chat.lastReply().getByRole('button', { name: 'More actions' }).click()
  await chat.menuItem('Bisect…').click()
  await expect(dialog(chat.page).getByRole('button', { name: 'Find the message' })).toBeVisible()
}

test('given a reply that says something odd, when it is searched by its text, then the message that made it so is found and marked', async ({
  chat,
  page,
}) => {
  await seed(chat)
  await openDialog(chat)
  await dialog(page).getByRole('radio', { name: 'Text' }).click()
  await dialog(page).getByRole('textbox', { name: 'Text that the reply holds' }).fill('east')
  await dialog(page).getByRole('button', { name: 'Find the message' }).click()
  await expect(dialog(page).getByRole('alert')).toHaveText('This reply does not say that.')
  await dialog(page).getByRole('textbox', { name: 'Text that the reply holds' }).fill('south')
  await dialog(page).getByRole('button', { name: 'Find the message' }).click()
  await expect(dialog(page).getByText('Turn 3 made the difference.')).toBeVisible()
  await expect(dialog(page).getByRole('blockquote')).toHaveText('Hold the map upside down')
  await dialog(page).getByRole('button', { name: 'Open the message' }).click()
  await expect(chat.said('upside down')).toBeInViewport()
  // a flag stands at it, and the branches of the runs are folded away
  await expect(chat.graph.getByRole('button', { name: /^Restore bisect .* turn 3$/ })).toHaveCount(1)
  const rows = chat.row(/bisect/)
  await expect(rows.filter({ hasText: 'Archived' })).toHaveCount(await rows.count())
})

onEveryScreen((screen) => {
  test('a person judges each reply, over a reload', async ({ chat, page }) => {
    await seed(chat)
    await openDialog(chat)
    await look(page, 'bisect-form', screen)
    await dialog(page).getByRole('button', { name: 'Find the message' }).click()
    const still = dialog(page).getByRole('button', { name: 'It still says it' })
    await expect(still).toBeVisible()
    await look(page, 'bisect-waiting', screen)
    await chat.reload()
    await chat.lastReply().hover()
    await chat.lastReply().getByRole('button', { name: 'More actions' }).click()
    await chat.menuItem('Bisect…').click()
    const found = dialog(page).getByText('Turn 3 made the difference.')
    for (let asked = 0; asked < 5; asked++) {
      await expect(still.or(found)).toBeVisible()
      if (await found.isVisible()) break
      const run = await dialog(page).getByRole('status').innerText()
      const says = (await dialog(page).getByRole('blockquote').innerText()).includes('south')
      await dialog(page)
        .getByRole('button', { name: says ? 'It still says it' : 'It no longer does' })
        .click()
      await expect(dialog(page).getByRole('status')).not.toHaveText(run)
    }
    await expect(found).toBeVisible()
    await look(page, 'bisect-done', screen)
  })
})
