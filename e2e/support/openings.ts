import { randomUUID } from 'node:crypto'
import { type APIRequestContext, expect } from '@playwright/test'
import type { ChatPage } from './chat-page'

/** Makes a guest of the caller, whose cookie the context keeps; with a session already, does nothing. */
export async function signIn(request: APIRequestContext): Promise<void> {
  const { cookies } = await request.storageState()
  if (cookies.some(({ name }) => name.includes('session'))) return
  expect((await request.post('/api/auth/sign-in/anonymous', { data: {} })).ok()).toBe(true)
}

export const userMessage = (text: string, id: string = randomUUID()) => ({
  id,
  role: 'user',
  parts: [{ type: 'text', text }],
})

/**
 * Sends a message to a chat and waits until its reply is stored.
 *
 * @param more the rest of the body: `branch`, `model`, `messageId` of a message that this one replaces on a new branch
 */
export async function sendTurn(
  request: APIRequestContext,
  chatId: string,
  message: ReturnType<typeof userMessage>,
  more: object = {},
): Promise<void> {
  const response = await request.post('/api/chat', { data: { id: chatId, message, ...more } })
  expect(response.status()).toBe(200)
  await response.body()
}

/** Signs in and stores one turn per text, without a page; messages are `q1`, `q2`, …. Returns the chat's id. */
export async function seedTurns(chat: ChatPage, texts: readonly string[]): Promise<string> {
  const { request } = chat.page
  const chatId = randomUUID()
  await signIn(request)
  for (const [at, text] of texts.entries()) await sendTurn(request, chatId, userMessage(text, `q${at + 1}`))
  return chatId
}

/** Signs in and stores a chat by one import: a person's words, a reply, and so on. Returns its id. */
export async function importChat(request: APIRequestContext, texts: readonly string[]): Promise<string> {
  await signIn(request)
  const messages = texts.map((content, at) => ({ role: at % 2 === 0 ? 'user' : 'assistant', content }))
  const buffer = Buffer.from(JSON.stringify(messages))
  const file = { name: 'chat.json', mimeType: 'application/json', buffer }
  const { import_id: id } = await (await request.post('/api/import', { multipart: { file } })).json()
  const report = async () => (await request.get(`/api/import/${id}`)).json()
  await expect.poll(async () => (await report()).status).toBe('done')
  return (await report()).examples[0].chat_id
}

/** Opens a chat with two turns on main and another second turn on main-v2, which is in view; its graph as a map. */
export async function openForkedChat(
  chat: ChatPage,
  [first, second, other]: readonly [string, string, string] = ['I am devansh', 'what is 2+2', 'what is 3+3'],
): Promise<void> {
  const chatId = await seedTurns(chat, [first, second])
  await sendTurn(chat.page.request, chatId, userMessage(other), { branch: 'main', messageId: 'q2' })
  await chat.open(`/c/${chatId}?branch=main-v2`)
  await expect(chat.messages).toHaveCount(4)
  await chat.draw('Map')
  await expect(chat.nodes).toHaveCount(6)
  // where the focus is when a chat has opened
  await chat.box.focus()
}

/** Opens the sample conversation and returns its path. */
export async function openSample(chat: ChatPage): Promise<string> {
  await chat.open()
  await chat.page.getByRole('button', { name: 'See an example', exact: true }).click()
  await expect(chat.page).toHaveURL(/\/c\//)
  await chat.page.getByRole('region', { name: 'Tour' }).getByRole('button', { name: 'Skip' }).click()
  await expect(chat.messages.first()).toBeVisible()
  return new URL(chat.page.url()).pathname
}
