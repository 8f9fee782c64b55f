import type { IncomingMessage } from 'node:http'
import type { Page } from '@playwright/test'
import { type OpenAIServer, startOpenAIServer } from '@/testing/machines/openai-server'
import { hydrated } from '../support/chat-page'
import { look, onEveryScreen } from '../support/screens'
import { expect, test } from '../support/test'

// A person's keys for model providers, and the choice of a model.

const KEY = 'a-key-of-this-test-9876'
const many = ['llama-3', 'qwen-3', 'mistral-large', 'gemma-4', 'phi-5', 'kimi-k3']

let provider: OpenAIServer
/** while it is set, the provider's list waits for it */
let held: { asked(request: IncomingMessage): void; answers: Promise<void> } | undefined
test.beforeAll(async () => {
  provider = await startOpenAIServer({
    ...{ apiKey: KEY, models: many, answer: () => 'From your own server.' },
    onList(request) {
      held?.asked(request)
      return held?.answers
    },
  })
})
test.afterAll(() => provider.close())

const model = (page: Page) => page.getByRole('combobox', { name: 'Model', exact: true })
const server = (page: Page) => page.getByRole('listitem').filter({ hasText: 'OpenAI-compatible server' })
const form = (page: Page) => page.getByRole('form', { name: 'Key for OpenAI-compatible server' })

async function openSettings(page: Page): Promise<void> {
  await page.goto('/settings/models')
  const add = page.getByRole('button', { name: 'Add a key for OpenAI-compatible server' })
  await hydrated(add)
}

/** Fills the form of the compatible server and sends it by key. */
async function paste(page: Page, key: string): Promise<void> {
  await form(page).getByLabel('Address').fill(provider.url)
  await form(page).getByLabel('Key, if it needs one').fill(key)
  await page.keyboard.press('Enter')
}

/** Given a key that is saved. */
async function saveKey(page: Page): Promise<void> {
  await openSettings(page)
  await page.getByRole('button', { name: 'Add a key for OpenAI-compatible server' }).click()
  await paste(page, KEY)
  await expect(server(page).getByRole('status')).toHaveText('The key works and is saved.')
}

test('a key is pasted, refused, corrected, used, tested, and removed', async ({ chat, page }) => {
  // given the demo model, when its picker is opened, then it leads to the keys
  await chat.open()
  await model(page).click()
  await page.getByRole('link', { name: 'Add a key' }).click()
  await expect(page).toHaveURL(/\/settings\/models$/)
  await expect(page.getByRole('heading', { name: 'Your keys' })).toBeVisible()

  // when a wrong key is pasted, then it is refused in words, and nothing is saved
  await page.getByRole('button', { name: 'Add a key for OpenAI-compatible server' }).click()
  await expect(form(page).getByLabel('Address')).toBeFocused()
  await paste(page, 'a-wrong-key-0000')
  await expect(form(page).getByRole('alert')).toContainText('refused this key')
  await expect(server(page)).toContainText('No key')

  // when it is corrected, then it is saved, and only its end is shown, also after a reload
  await paste(page, KEY)
  await expect(server(page).getByRole('status')).toHaveText('The key works and is saved.')
  await expect(server(page)).toContainText('Key ending in 9876')
  await expect(form(page)).toHaveCount(0)
  await expect(
    page.getByRole('button', { name: 'Replace the key for OpenAI-compatible server' }),
  ).toBeFocused()
  await page.reload()
  await expect(server(page)).toContainText('Key ending in 9876')
  expect(await page.content()).not.toContain(KEY)

  // when it is tested, then it works
  const test = page.getByRole('button', { name: 'Test the key for OpenAI-compatible server' })
  await hydrated(test)
  await test.click()
  await expect(server(page).getByRole('status')).toHaveText('The key works: 6 models.')

  // when a model of it is chosen, then it answers
  await chat.open()
  await model(page).click()
  await page.getByRole('option', { name: 'kimi-k3' }).click()
  await chat.ask('Who are you?')
  await expect(chat.lastReply()).toContainText('From your own server.')
  expect(provider.requests.at(-1)?.model).toBe('kimi-k3')

  // when it is removed, then its models are gone
  await openRemoval(page)
  await page.getByRole('button', { name: 'Remove the key for OpenAI-compatible server' }).click()
  await expect(server(page)).toContainText('No key')
  await expect(server(page).getByRole('status')).toHaveText('The key is removed.')
  await chat.open()
  await model(page).click()
  await expect(page.getByRole('option', { name: /scripted/ })).toBeVisible()
  await expect(page.getByRole('option', { name: 'kimi-k3' })).toHaveCount(0)
})

async function openRemoval(page: Page): Promise<void> {
  await page.goto('/settings/models')
  await hydrated(page.getByRole('button', { name: 'Remove the key for OpenAI-compatible server' }))
}

test('a form that is cancelled while its key is tested saves nothing, also after the provider answers', async ({
  page,
}) => {
  await openSettings(page)
  for (const cancel of ['Escape', 'Cancel']) {
    // given a provider that takes its time
    await page.getByRole('button', { name: 'Add a key for OpenAI-compatible server' }).click()
    const [asked, answers] = [Promise.withResolvers<IncomingMessage>(), Promise.withResolvers<void>()]
    held = { asked: asked.resolve, answers: answers.promise }
    await paste(page, KEY)
    const { socket } = await asked.promise
    const ended = new Promise((end) => socket.once('close', end))
    // when the form is cancelled, then the provider is no longer asked, and nothing is saved
    if (cancel === 'Escape') await page.keyboard.press('Escape')
    else await form(page).getByRole('button', { name: 'Cancel' }).click()
    await ended
    held = undefined
    answers.resolve()
    await expect(form(page)).toHaveCount(0)
    await expect(server(page).getByRole('alert')).toHaveCount(0)
    await openSettings(page)
    await expect(server(page)).toContainText('No key')
  }
})

test('the picker by key: search, favourites, and the focus', async ({ chat, page }) => {
  await saveKey(page)
  await chat.open()
  const options = page.getByRole('option')
  // given the open list, then the field has the focus, and every model says what it costs
  await model(page).focus()
  await page.keyboard.press('ArrowDown')
  const field = page.getByRole('searchbox', { name: 'Find a model' })
  await expect(field).toBeFocused()
  await expect(options).toHaveCount(many.length + 2)
  await expect(page.getByRole('option', { name: 'llama-3' })).toContainText('price not known')
  await expect(page.getByRole('option', { name: /Demo/ })).toContainText('free')
  // when words are typed, then only models with them stay
  await page.keyboard.type('mistral')
  await expect(options).toHaveCount(1)
  // when it is made a favourite by key
  await page.keyboard.press('ArrowDown')
  await expect(options.first()).toBeFocused()
  await page.keyboard.press('Tab')
  const favourite = page.getByRole('button', { name: 'Favourite: mistral-large' })
  await expect(favourite).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(favourite).toHaveAttribute('aria-pressed', 'true')
  // then it is the first of the whole list, in a group of its own
  await field.fill('')
  const favourites = page.getByRole('group', { name: 'Favourites' })
  await expect(favourites.getByRole('option')).toHaveCount(1)
  await expect(options.first()).toHaveAttribute('data-model', 'openai-compatible:mistral-large')
  // when words find nothing, then that is said
  await field.fill('nothing like it')
  await expect(page.getByText('No model has these words.')).toBeVisible()
  // when the list is left, then the focus is back where it was
  await page.keyboard.press('Escape')
  await expect(field).toHaveCount(0)
  await expect(model(page)).toBeFocused()
  // when Enter is pressed in the empty field, then the choice stays; after words it is the first that has them
  await page.keyboard.press('ArrowDown')
  await expect(field).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(field).toHaveCount(0)
  await expect(model(page)).toContainText('Demo')
  await expect(model(page)).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(field).toBeFocused()
  await page.keyboard.type('mistral')
  await page.keyboard.press('Enter')
  // and a reload knows the favourite
  await expect(model(page)).toContainText('mistral-large')
  await chat.open()
  await model(page).click()
  await expect(favourites.getByRole('option')).toHaveCount(1)
  // when it is no favourite any more, by a pointer
  await favourites.locator('[data-favourite=true]').click()
  await expect(favourites).toHaveCount(0)
  await expect(field).toBeVisible()
})

test('each branch keeps the model that was chosen on it', async ({ chat, page }) => {
  await saveKey(page)
  await chat.open()
  const choose = async (name: string | RegExp) => {
    await model(page).click()
    await page.getByRole('option', { name }).click()
  }
  // given main with one model, and a branch with another
  await choose('llama-3')
  await chat.ask('Hello')
  await page.getByRole('article').first().hover()
  await chat.act(/^You: Hello/, 'Branch from here')
  // the branch is open when the box has the focus; until then main would get the next choice
  await expect(chat.box).toBeFocused()
  await expect(model(page)).toContainText('llama-3')
  await choose('qwen-3')
  // when the branches are switched, then each has its own, also after a reload
  await chat.undo()
  await chat.reads('main')
  await expect(model(page)).toContainText('llama-3')
  await chat.reload()
  await expect(model(page)).toContainText('llama-3')
  // and a new chat begins with the last choice
  await chat.open()
  await expect(model(page)).toContainText('qwen-3')
})

onEveryScreen((screen) => {
  test('the settings with a form, a refusal and a key; the picker', async ({ chat, page }) => {
    await openSettings(page)
    await look(page, 'model-settings', screen)
    await page.getByRole('button', { name: 'Add a key for OpenAI-compatible server' }).click()
    await paste(page, 'a-wrong-key-0000')
    await expect(form(page).getByRole('alert')).toBeVisible()
    await form(page).scrollIntoViewIfNeeded()
    await look(page, 'model-settings-refused', screen)
    await paste(page, KEY)
    await expect(server(page)).toContainText('Key ending in 9876')
    await look(page, 'model-settings-saved', screen)

    await chat.open()
    await model(page).click()
    await expect(page.getByRole('option')).toHaveCount(many.length + 2)
    await page.getByRole('option', { name: 'llama-3' }).focus()
    await look(page, 'model-picker', screen)
    await page.keyboard.press('Escape')

    // tokens are counted once per reply, a second after it at most
    await chat.ask('what do you see')
    await page.goto('/settings/usage')
    await expect(async () => {
      await page.reload()
      await expect(page.getByRole('img', { name: /^Tokens of each day/ })).toBeVisible({ timeout: 1_000 })
    }).toPass()
    await look(page, 'usage', screen)
    await page.getByRole('radio', { name: 'Cost' }).click()
    await expect(page.getByRole('img', { name: /^Cost of each day/ })).toBeVisible()
  })
})
