// The app as functions of a host that shares nothing but Postgres: each function alone, in processes that sleep and end.

import { readFileSync } from 'node:fs'
import path from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import OpenAI from 'openai'
import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { textOf, Visitor } from '@/testing/faults/visitor'
import type { TestDatabase } from '@/testing/machines/create-database'
import { type ChatRequest, type OpenAIServer, startOpenAIServer } from '@/testing/machines/openai-server'
import { repoRoot } from '@/testing/runner/repo-root'
import { docxFile, paragraph } from '@/testing/worlds/document-files'
import { fixture } from '@/testing/worlds/exported-files'
import { onPostgres, postgresDatabase } from '@/testing/worlds/open-stores'
import { buildFunctions, deploy } from './deployment'
import { MOST_BYTES } from './edge'
import { bytesOf, type FunctionPlan, functionsOf, strayFiles } from './function-plan'

/** What a host lets a function have, unpacked. */
const MOST_UNPACKED = 250 * 1024 * 1024
const cronSecret = 'a-secret-of-a-scheduler'
const WORDS = 'one two three four five six seven eight'
const isForTitle = ({ messages }: ChatRequest) => JSON.stringify(messages[0]).includes('You name')

/** The id by which a page calls an action of the build. */
function actionId(name: string): string {
  const file = path.join(repoRoot, '.next-functions/server/server-reference-manifest.json')
  const { node } = JSON.parse(readFileSync(file, 'utf8')) as {
    node: Record<string, { exportedName: string }>
  }
  const [id = ''] = Object.entries(node).find(([, { exportedName }]) => exportedName === name) ?? []
  return id
}

/** The build takes minutes: the long run has it. */
describe.runIf(process.env.RAMIFY_TEST_LONG)('functions', () => {
  let plan: FunctionPlan
  beforeAll(async () => {
    plan = await buildFunctions()
  }, 600_000)

  it('given the build, then each function is small enough, and holds next to nothing that it does not run', () => {
    const sizes = functionsOf(plan)
      .map((output) => ({ path: output.pathname, bytes: bytesOf(output) }))
      .sort((one, other) => other.bytes - one.bytes)
    console.log(
      `largest function: ${sizes[0]?.path}, ${((sizes[0]?.bytes ?? 0) / 1e6).toFixed(1)} MB unpacked`,
    )
    expect(sizes[0]?.bytes).toBeLessThan(MOST_UNPACKED)
    const known = [
      '.next-functions',
      'node_modules',
      'dist',
      'drizzle',
      'docs',
      'lib/db/functions',
      'lib/runtime/cli',
    ]
    const stray = [...new Set(functionsOf(plan).flatMap((output) => strayFiles(output, known)))]
    expect(stray.filter((place) => place.startsWith('testing/'))).toEqual([])
    // a path that is known only when it runs has a few files of a like name traced
    expect(stray.length, stray.join('\n')).toBeLessThan(10)
  })

  onPostgres('deployed', () => {
    let site: Awaited<ReturnType<typeof deploy>>
    let provider: OpenAIServer
    let database: TestDatabase
    /** holds replies of the provider after some words */
    let gate: { after: number; open: Promise<unknown> } | undefined
    beforeAll(async () => {
      database = await postgresDatabase({ migrated: false })
      provider = await startOpenAIServer({
        answer: (request) =>
          isForTitle(request)
            ? // still under way when the reader has the whole reply
              { text: 'Counting to eight', delayMs: 100 }
            : { text: WORDS, pace: (sent) => (gate && sent === gate.after ? gate.open : undefined) },
      })
      site = await deploy(plan, {
        DATABASE_URL: database.url,
        BETTER_AUTH_SECRET: 'a-secret-for-functions-and-nothing-else',
        CRON_SECRET: cronSecret,
        OPENAI_COMPATIBLE_BASE_URL: provider.url,
        OPENAI_COMPATIBLE_MODELS: 'scripted',
        RAMIFY_DEFAULT_MODEL: 'openai-compatible:scripted',
        RAMIFY_LEASE_MS: '5000',
      })
    }, 300_000)
    afterAll(async () => {
      await site?.close()
      await provider?.close()
      await database?.drop()
    }, 60_000)

    const visitor = () => new Visitor().signIn(site.url)
    /** Holds replies after some words, until the returned function is called. */
    function holdAfter(after: number): () => void {
      const { promise, resolve } = Promise.withResolvers<void>()
      gate = { after, open: promise }
      return () => {
        gate = undefined
        resolve()
      }
    }
    const newKey = async (ada: Visitor) =>
      (await ada.json<{ key: string }>(`${site.url}/api/keys`, { name: 'script' })).key
    /** Processes of a function that answer, or work. */
    const awake = (name: string) =>
      site.processes.filter((one) => one.name === name && one.process.isRunning && !one.process.isIdle).length
    const allAsleep = () =>
      expect
        .poll(() => site.processes.filter(({ process }) => process.isRunning && !process.isIdle).length, {
          timeout: 120_000,
        })
        .toBe(0)
    const settled = (ada: Visitor, chat: string) =>
      expect.poll(async () => (await ada.graph(site.url, chat)).runs.length, { timeout: 120_000 }).toBe(0)

    it('given nobody, when pages are opened, then each is served, with its policy, scripts, fonts and pictures', async () => {
      const page = await fetch(site.url)
      expect(page.status).toBe(200)
      expect(page.headers.get('content-security-policy')).toContain("script-src 'self' 'nonce-")
      expect(page.headers.get('x-content-type-options')).toBe('nosniff')
      const [script] = /\/_next\/static\/[^"]+\.js/.exec(await page.text()) ?? []
      expect((await fetch(`${site.url}${script}`)).status).toBe(200)
      for (const path of [
        '/docs',
        '/docs/install',
        '/docs/api',
        '/settings/models',
        '/health',
        '/api/openapi.json',
      ])
        expect([path, (await fetch(`${site.url}${path}`)).status]).toEqual([path, 200])
      expect((await fetch(`${site.url}/nothing-here`)).status).toBe(404)
    }, 300_000)

    it('given a model that pauses, when a turn is asked for, then its words come as they are made, and are kept', async () => {
      const ada = await visitor()
      const release = holdAfter(3)
      const turn = await ada.send(site.url, 'pieces', 'Count.')
      await turn.untilWords(3)
      expect(turn.text.trim()).toBe('one two three')
      release()
      expect((await turn.rest()).text).toBe(WORDS)
      expect((await ada.messages(site.url, 'pieces')).map(textOf)).toEqual(['Count.', WORDS])
    }, 300_000)

    it('given a turn in one process, when the page is loaded anew, then another process gives the rest of it', async () => {
      const ada = await visitor()
      const release = holdAfter(4)
      const turn = await ada.send(site.url, 'resumed', 'Count.')
      await turn.untilWords(4)
      const page = await fetch(`${site.url}/c/resumed`, { headers: { cookie: ada.cookie } })
      expect(await page.text()).toContain('Count.')
      const again = await ada.follow(site.url, 'resumed')
      await again?.untilWords(4)
      expect(awake('/api/[[...path]]')).toBe(2)
      release()
      expect((await turn.rest()).text).toBe(WORDS)
      expect((await again?.rest())?.text).toBe(WORDS)
    }, 300_000)

    it('given a turn in one process, when another is asked to stop it, then it ends with the words it has', async () => {
      const ada = await visitor()
      const release = holdAfter(5)
      const turn = await ada.send(site.url, 'stopped', 'Count.')
      await turn.untilWords(5)
      const asked = await ada.json<{ status: string }>(`${site.url}/api/chat/stopped/stop`, {
        runId: turn.run.runId,
      })
      expect(asked.status).toBe('stopped')
      await turn.rest()
      release()
      const [, reply] = await ada.messages(site.url, 'stopped')
      expect(reply?.metadata?.status).toBe('stopped')
      expect(reply && textOf(reply).trim()).toBe('one two three four five')
    }, 300_000)

    it('given a reader that leaves, then the process stays awake until the reply is stored', async () => {
      const ada = await visitor()
      const release = holdAfter(2)
      const turn = await ada.send(site.url, 'left', 'Count.')
      await turn.untilWords(2)
      await turn.leave()
      release()
      await settled(ada, 'left')
      expect((await ada.messages(site.url, 'left')).map(textOf)).toEqual(['Count.', WORDS])
      await allAsleep()
    }, 300_000)

    it('given a command, when it is answered, then its reply is written before the process sleeps, without a scheduler', async () => {
      const ada = await visitor()
      const { chat_id, thread_id } = await ada.createThread(site.url)
      await ada.json(`${site.url}/commands/send-message`, { thread_id, content: 'Count.' })
      await allAsleep()
      const { messages } = await ada.json<{ messages: { content: string }[] }>(
        `${site.url}/threads/${thread_id}/messages`,
      )
      expect(messages.map(({ content }) => content)).toEqual(['Count.', WORDS])
      const found = await ada.json<{ results: { chat_id: string }[] }>(`${site.url}/api/search?q=seven`)
      expect(JSON.stringify(found)).toContain(chat_id)
    }, 300_000)

    it('given a first reply, then its chat has the title that the model gives, before the process sleeps', async () => {
      const ada = await visitor()
      await (await ada.send(site.url, 'titled', 'Count.')).rest()
      await allAsleep()
      const { title } = await ada.json<{ title: string }>(`${site.url}/api/chats/titled`)
      expect(title).toBe('Counting to eight')
    }, 300_000)

    it('given an action of a page that asks for replies, then they are written before the process of the page sleeps', async () => {
      const ada = await visitor()
      await (await ada.send(site.url, 'fanned', 'Count.')).rest()
      const [question] = await ada.messages(site.url, 'fanned')
      const models = ['openai-compatible:scripted', 'openai-compatible:scripted']
      const asked = { chatId: 'fanned', messageId: question?.id, models }
      const acted = await fetch(`${site.url}/c/fanned`, {
        method: 'POST',
        headers: {
          cookie: ada.cookie,
          origin: site.url.replace('http:', 'https:'),
          'content-type': 'text/plain;charset=UTF-8',
          'next-action': actionId('fanOut'),
        },
        body: JSON.stringify([asked]),
      })
      expect([acted.status, acted.headers.get('content-type')]).toEqual([200, 'text/x-component'])
      expect(await acted.text()).toContain('"ok":true')
      await allAsleep()
      const { nodes } = await ada.graph(site.url, 'fanned')
      expect(nodes.map(({ role }) => role).sort()).toEqual([...Array(3).fill('assistant'), 'user'])
    }, 300_000)

    it('given a link to a chat, then a stranger reads it, and sees a picture of it', async () => {
      const ada = await visitor()
      await (await ada.send(site.url, 'shared', 'Count.')).rest()
      const share = { chat_id: 'shared', branch: 'main', graph: true, follow: false }
      const { token } = await ada.json<{ token: string }>(`${site.url}/api/shares`, share)
      expect(await (await fetch(`${site.url}/s/${token}`)).text()).toContain(WORDS)
      const picture = await fetch(`${site.url}/s/${token}/opengraph-image`)
      expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/png'])
    }, 300_000)

    it('given processes that slept while the database closed their connections, when they are asked again, then they answer', async () => {
      const ada = await visitor()
      await (await ada.send(site.url, 'woken', 'Count.')).rest()
      await allAsleep()
      const sql = postgres(database.url, { max: 1 })
      await sql`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`
      await sql.end()
      const started = site.processes.length
      expect((await ada.messages(site.url, 'woken')).map(textOf)).toEqual(['Count.', WORDS])
      expect((await (await ada.send(site.url, 'woken', 'Again.')).rest()).text).toBe(WORDS)
      expect(site.processes.length).toBe(started)
    }, 300_000)

    it('given a process that ends within a reply, when the scheduler calls, then another writes it', async () => {
      const ada = await visitor()
      const release = holdAfter(2)
      const turn = await ada.send(site.url, 'killed', 'Count.')
      await turn.untilWords(2)
      await site.endAll()
      release()
      const call = (secret: string) =>
        fetch(`${site.url}/api/cron/replies`, { headers: { authorization: `Bearer ${secret}` } })
      expect((await call('another')).status).toBe(401)
      await expect
        .poll(async () => ((await (await call(cronSecret)).json()) as { taken: number }).taken, {
          timeout: 120_000,
          interval: 500,
        })
        .toBe(1)
      await settled(ada, 'killed')
      expect((await ada.messages(site.url, 'killed')).map(textOf)).toEqual(['Count.', WORDS])
    }, 300_000)

    it('given files, when they are sent, then other processes read them, and their text; one above the limit is refused in words', async () => {
      const ada = await visitor()
      const upload = (bytes: Buffer, name: string, type = 'text/plain') => {
        const form = new FormData()
        form.set('file', new File([new Uint8Array(bytes)], name, { type }))
        return fetch(`${site.url}/api/files`, { method: 'POST', headers: { cookie: ada.cookie }, body: form })
      }
      const type = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
      const sent = await upload(docxFile(paragraph('A page about herons.')), 'herons.docx', type)
      expect(sent.status).toBe(201)
      const { id } = (await sent.json()) as { id: string }
      await site.endAll()
      const read = await fetch(`${site.url}/api/files/${id}`, { headers: { cookie: ada.cookie } })
      expect(Buffer.from(await read.arrayBuffer()).toString('latin1', 0, 2)).toBe('PK')
      const file = { type: 'file', mediaType: type, filename: 'herons.docx', url: `/api/files/${id}` }
      const message = { id: 'q', role: 'user', parts: [{ type: 'text', text: 'Read it.' }, file] }
      const turn = await fetch(`${site.url}/api/chat`, {
        method: 'POST',
        headers: { cookie: ada.cookie, 'content-type': 'application/json' },
        body: JSON.stringify({ id: 'read', model: 'openai-compatible:scripted', message }),
      })
      await turn.text()
      expect(
        JSON.stringify(provider.requests.filter((request) => !isForTitle(request)).at(-1)?.messages),
      ).toContain('A page about herons.')

      const refused = await upload(Buffer.alloc(4.2 * 1024 * 1024, 'a'), 'large.txt')
      expect([refused.status, ((await refused.json()) as { detail: string }).detail]).toEqual([
        413,
        expect.stringContaining('4 MB'),
      ])
      expect((await upload(Buffer.alloc(MOST_BYTES, 'a'), 'huge.txt')).status).toBe(413)
    }, 300_000)

    it('given an agent with a key, when it asks for a streamed completion, then pieces come as they are made, and the chat is there', async () => {
      const ada = await visitor()
      const client = new OpenAI({ baseURL: `${site.url}/v1`, apiKey: await newKey(ada), maxRetries: 0 })
      const release = holdAfter(3)
      const { data: stream, response } = await client.chat.completions
        .create({
          model: 'openai-compatible:scripted',
          stream: true,
          messages: [{ role: 'user', content: 'Count.' }],
        })
        .withResponse()
      let text = ''
      for await (const { choices } of stream) {
        text += choices[0]?.delta.content ?? ''
        if (text.trim() === 'one two three') release()
      }
      expect(text).toBe(WORDS)
      const chat = response.headers.get('x-ramify-chat') ?? ''
      await allAsleep()
      expect((await ada.messages(site.url, chat)).map(textOf)).toEqual(['Count.', WORDS])
    }, 300_000)

    it('given a client of MCP, when it sends a message, then it has the reply, and every call may meet another process', async () => {
      const ada = await visitor()
      const client = new Client({ name: 'tested', version: '1.0.0' })
      const headers = { authorization: `Bearer ${await newKey(ada)}` }
      await client.connect(
        new StreamableHTTPClientTransport(new URL(`${site.url}/mcp`), { requestInit: { headers } }),
      )
      expect((await client.listTools()).tools.map(({ name }) => name)).toContain('send_message')
      await site.endAll()
      const answer = await client.callTool({ name: 'send_message', arguments: { text: 'Count.' } })
      expect(JSON.stringify(answer)).toContain(WORDS)
      await client.close()
    }, 300_000)

    it('given the export of another program, when it is imported, then it is worked on without a scheduler', async () => {
      const ada = await visitor()
      const form = new FormData()
      form.set('file', new File([new Uint8Array(fixture('chatgpt.json'))], 'conversations.json'))
      const begun = await fetch(`${site.url}/api/import`, {
        method: 'POST',
        headers: { cookie: ada.cookie },
        body: form,
      })
      expect(begun.status).toBe(202)
      const { import_id } = (await begun.json()) as { import_id: string }
      await allAsleep()
      const { status } = await ada.json<{ status: string }>(`${site.url}/api/import/${import_id}`)
      expect(status).toBe('done')
    }, 300_000)

    it('given all of that, then no process has written to its own folder or logged an error', () => {
      const errors = site.processes.flatMap(({ name, process }) =>
        process.output.includes('rror') ? [`${name}: ${process.output.slice(-2000)}`] : [],
      )
      expect(errors).toEqual([])
    })
  })
})
