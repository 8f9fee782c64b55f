import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { AppServer } from '@/testing/machines/app-server'
import { createDatabase } from '@/testing/machines/create-database'
import { freePort } from '@/testing/machines/free-port'
import {
  type ChatRequest,
  type OpenAIServer,
  type ScriptedReply,
  startOpenAIServer,
} from '@/testing/machines/openai-server'
import { copyTemplate } from '@/testing/machines/templates'
import { pdfFile, pngImage } from '@/testing/worlds/sample-files'
import { test as base, expect } from './support/test'

// One conversation with everything in it, on a server of its own that is killed in the middle of it.

/** Says what the last question asks for: calls tools, and words once they have answered. */
function answer({ messages }: ChatRequest): ScriptedReply {
  const asked = messages.findLast(({ role }) => role === 'user')?.content
  const parts = Array.isArray(asked) ? asked : [{ type: 'text', text: String(asked) }]
  const words = parts.map(({ text = '' }) => text).join(' ')
  const isAnswered = messages.at(-1)?.role === 'tool'
  if (words.includes('Work it out')) {
    if (isAnswered) return 'Fourteen, at this hour.'
    const sum = { name: 'calculator', input: { expression: '2*(3+4)' }, id: 'sum' }
    const time = { name: 'current_time', input: {}, id: 'time' }
    return { reasoning: 'A sum, and the time.', toolCalls: [sum, time] }
  }
  if (words.includes('Break it')) {
    if (isAnswered) return 'That was no sum.'
    return { toolCalls: [{ name: 'calculator', input: { expression: 'process.exit()' }, id: 'broken' }] }
  }
  if (words.includes('Keep it')) {
    if (isAnswered) return 'I keep it.'
    return { toolCalls: [{ name: 'remember', input: { key: 'sum', text: 'It is 14' }, id: 'kept' }] }
  }
  const kinds = parts.map(({ type }) => type).filter((type) => type !== 'text')
  return kinds.length > 0 ? `I see ${kinds.join(' and ')}.` : `You say: ${words}`
}

interface Own {
  server: AppServer
  provider: OpenAIServer
}

const test = base.extend<object, { own: Own }>({
  own: [
    // biome-ignore lint/correctness/noEmptyPattern: how the test runner wants it
    async ({}, use, { project }) => {
      const folder = mkdtempSync(path.join(tmpdir(), 'ramify-whole-'))
      copyTemplate('migrated', folder)
      const { E2E_DATABASE_URL } = process.env
      const database =
        project.name === 'postgres' && E2E_DATABASE_URL ? await createDatabase(E2E_DATABASE_URL) : undefined
      const provider = await startOpenAIServer({ answer })
      const server = new AppServer(await freePort(), {
        ...process.env,
        NODE_ENV: 'production',
        DATABASE_URL: database?.url ?? '',
        RAMIFY_DATA_DIR: folder,
        OPENAI_COMPATIBLE_BASE_URL: provider.url,
        OPENAI_COMPATIBLE_MODELS: 'scripted',
        RAMIFY_DEFAULT_MODEL: 'openai-compatible:scripted',
        RAMIFY_TITLES: 'words',
        RAMIFY_LOCAL_MODELS: 'off',
        RAMIFY_RATE_LIMIT: 'off',
        BETTER_AUTH_SECRET: 'a-secret-for-end-to-end-tests-and-nothing-else',
      })
      await server.start()
      await use({ server, provider })
      await server.stop()
      await provider.close()
      await database?.drop()
      rmSync(folder, { recursive: true, force: true })
    },
    { scope: 'worker', timeout: 120_000 },
  ],
})

test('reasoning, two tools at once, one that fails, one that waits through the death of the server, a picture and a PDF: shown, forked and compared', async ({
  chat,
  page,
  own: { server },
}) => {
  await chat.open(server.url)
  await chat.ask('Hello')
  const chatId = new URL(page.url()).pathname.split('/').at(-1)
  const context = `${server.url}/api/chats/${chatId}/context`
  const { context_id } = await (await page.request.get(context)).json()
  const tools = { calculator: 'always', current_time: 'always', remember: 'ask' }
  const changed = await page.request.put(context, {
    data: { expected_context_id: context_id, tools },
    headers: { origin: server.url },
  })
  expect(changed.status()).toBe(200)
  const fold = (label: string | RegExp) => chat.lastReply().locator('summary').filter({ hasText: label })

  // a reply that thinks and calls two tools at once
  await chat.ask('Work it out')
  await expect(chat.lastReply()).toContainText('Fourteen, at this hour.')
  await expect(fold('Thought')).toBeVisible()
  await expect(fold('calculator')).toBeVisible()
  await expect(fold('current_time')).toBeVisible()
  // one whose tool fails
  await chat.ask('Break it')
  await expect(chat.lastReply()).toContainText('That was no sum.')
  await expect(fold('calculator')).toContainText('This is not a calculation')
  // a picture and a PDF
  const asked = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Attach files' }).click()
  await (await asked).setFiles([
    { name: 'map.png', mimeType: 'image/png', buffer: pngImage('map', [320, 200]) },
    { name: 'paper.pdf', mimeType: 'application/pdf', buffer: pdfFile() },
  ])
  await expect(page.getByText('2 files are attached.')).toBeAttached()
  await chat.ask('Look at these')
  await expect(chat.lastReply()).toContainText('I see image_url and file.')
  // a tool that asks: its server is killed before it is answered
  await chat.ask('Keep it')
  const ask = page.getByRole('group', { name: 'May remember run?' })
  await expect(ask).toBeVisible()
  await server.kill('SIGKILL')
  await server.start()
  await chat.reload()
  await expect(ask).toContainText('It is 14')
  await page.getByRole('button', { name: 'Allow remember' }).click()
  await expect(chat.lastReply()).toContainText('I keep it.')
  await chat.settled()
  const { memories } = await (await page.request.get(context)).json()
  expect(memories).toMatchObject([{ key: 'sum', text: 'It is 14' }])

  // the graph marks what holds more than words
  await expect(chat.graph.locator('[role=treeitem][aria-description*="calls tools"]')).toHaveCount(4)
  await expect(chat.graph.locator('[role=treeitem][aria-description*="has files"]')).toHaveCount(1)

  // forked in the middle, with what the model knew there
  const middle = page.locator('article[data-role="assistant"]').filter({ hasText: 'Fourteen, at this hour.' })
  await middle.getByRole('button', { name: 'Branch from here', exact: true }).click()
  await expect(chat.messages).toHaveCount(4)
  await chat.ask('Break it')
  await expect(chat.lastReply()).toContainText('That was no sum.')
  const forked = await (await page.request.get(`${context}?branch=main-v2`)).json()
  expect(forked.memories).toEqual([])

  // and compared: what only one of them has stands there as it is
  await page.goto(`${server.url}/c/${chatId}/compare?left=main&right=main-v2`)
  const left = page.locator('article[data-side="left"]')
  await expect(left.getByRole('img', { name: 'map.png' })).toBeVisible()
  await expect(left.getByRole('link', { name: /paper\.pdf/ })).toBeVisible()
  for (const side of [left, page.locator('article[data-side="right"]')]) {
    await expect(side.locator('summary').filter({ hasText: 'This is not a calculation' })).toHaveCount(1)
  }
})
