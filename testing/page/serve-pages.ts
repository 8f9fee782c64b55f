import { AsyncLocalStorage } from 'node:async_hooks'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { json } from 'node:stream/consumers'
import { createSample } from '@/app/(chat)/actions'
import * as chatActions from '@/app/(chat)/c/[id]/actions'
import { readViewer } from '@/lib/auth'
import { createServices, createWorker } from '@/lib/runtime'
import { readAbout } from '@/lib/server/pages/about'
import * as pages from '@/lib/server/pages/pages'
import { given } from '@/testing/machines/framework/given'
import { startMcpServer } from '@/testing/machines/mcp-server'
import { type ScriptedReply, startOpenAIServer } from '@/testing/machines/openai-server'
import { startRemoteServer } from '@/testing/machines/remote-server'
import { pgliteTemplate } from '@/testing/machines/templates'
import { serve } from '@/testing/worlds/served-api'
import { type GivenChat, plantChat } from './plant-chat'

/** A reply that a test gives to the words of a person. */
export interface GivenReply
  extends Omit<Extract<ScriptedReply, { text?: unknown }>, 'pace' | 'chunksPerSecond'> {
  /** sends nothing more after so many pieces, until the test lets it go on */
  holdAfter?: number
  /** says `text` instead when `words` were said anywhere above */
  heard?: { words: string; text: string }
}

/** The models of a person's own server (`ownServers`), whose key is `a-key-of-a-person-9876`. Its server of tools takes `a-token`, its remote any key that is not `wrong`. */
const ownModels = ['llama-3', 'qwen-3', 'mistral-large', 'gemma-4', 'phi-5', 'kimi-k3']

export interface PageServer {
  /** Answers the API, the pages' data and their actions; false for an address that is none of these. */
  handle(request: IncomingMessage, response: ServerResponse): Promise<boolean>
  close(): Promise<void>
}

const shared = globalThis as typeof globalThis & { __ramifyServices?: unknown; __ramifyAuth?: unknown }

/**
 * The server behind the component tests, in the process that serves their code: the routes, actions and use cases of the
 * product on an embedded database, with a scripted model. Only Next itself is left out.
 */
export async function servePages(): Promise<PageServer> {
  const template = await pgliteTemplate()
  const dataDir = mkdtempSync(path.join(tmpdir(), 'ramify-page-'))
  cpSync(template.migrated, dataDir, { recursive: true })
  const replies = new Map<string, GivenReply>()
  const held = new Map<string, PromiseWithResolvers<void>>()
  /** A reply is held from when it is given: a test may let it go on before its model is asked. */
  const holdOf = (to: string) => {
    const hold = held.get(to) ?? Promise.withResolvers<void>()
    held.set(to, hold)
    return hold
  }
  const provider = await startOpenAIServer({
    answer({ messages }) {
      const said = textOf(messages.findLast(({ role }) => role === 'user')?.content)
      const { holdAfter, heard, ...reply }: GivenReply = replies.get(said) ?? { text: `Noted: ${said}` }
      if (heard && messages.some(({ content }) => textOf(content).includes(heard.words))) return heard.text
      if (holdAfter === undefined) return reply
      const hold = holdOf(said)
      // one that was let go on is held anew the next time
      void hold.promise.then(() => held.delete(said))
      return { ...reply, pace: (sent) => (sent === holdAfter ? hold.promise : undefined) }
    },
  })
  // servers that a person has of its own
  const own = await startOpenAIServer({
    apiKey: 'a-key-of-a-person-9876',
    models: ownModels,
    answer: ({ model }) => `${model} on your own server.`,
  })
  const tools = await startMcpServer({ tools: [{ name: 'echo', run: () => 'x' }], token: 'a-token' })
  const remote = await startRemoteServer()
  const services = await createServices({
    DATABASE_URL: '',
    RAMIFY_DATA_DIR: dataDir,
    RAMIFY_RATE_LIMIT: 'off',
    RAMIFY_TITLES: 'words',
    RAMIFY_DEMO_DELAY_MS: '0',
    RAMIFY_LOCAL_MODELS: 'off',
    RAMIFY_PRIVATE_ADDRESSES: 'on',
    OPENAI_COMPATIBLE_BASE_URL: provider.url,
    OPENAI_COMPATIBLE_MODELS: 'scripted',
    RAMIFY_DEFAULT_MODEL: 'demo:demo',
    RAMIFY_QUOTA_STREAMS: '1000',
    BETTER_AUTH_SECRET: 'a-secret-for-component-tests-and-nothing-else',
  })
  shared.__ramifyServices = Promise.resolve(services)
  delete shared.__ramifyAuth
  const worker = createWorker(services).start()
  const asked = new AsyncLocalStorage<Headers>()
  given.headers = () => asked.getStore() ?? new Headers()
  given.after = (task) => void task().catch((error: unknown) => console.error(error))

  const actions: Record<string, (input: never) => Promise<unknown>> = {
    ...chatActions,
    createSample: () => createSample({}),
  }
  const acts: Record<string, (input: never) => Promise<unknown>> = {
    view: ({ path }: { path: string }) => readView(path),
    async plant({ chat }: { chat: GivenChat }) {
      const viewer = await readViewer()
      if (!viewer) throw new Error('A chat is given to a person: sign in first')
      return { chatId: await plantChat(services.ports, viewer.id, chat) }
    },
    async reply({ to, ...reply }: { to: string } & GivenReply) {
      replies.set(to, reply)
      held.delete(to)
      return {}
    },
    async goOn({ to }: { to: string }) {
      holdOf(to).resolve()
      return {}
    },
    async asked() {
      return provider.requests
    },
    async ownServers() {
      return { models: own.url, tools: tools.url, remote: remote.url }
    },
  }

  return {
    async handle(request, response) {
      const { pathname } = new URL(request.url ?? '/', 'http://localhost')
      const headers = new Headers(
        Object.entries(request.headers).map(([name, value]) => [name, String(value)] as [string, string]),
      )
      if (pathname.startsWith('/api/') || /^\/s\/[^/]+\/\w/.test(pathname)) {
        await asked.run(headers, () => serve(request, response))
        return true
      }
      const [, kind, name = ''] = /^\/__page\/(act|action)\/(\w+)$/.exec(pathname) ?? []
      const act = kind && (kind === 'act' ? acts : actions)[name]
      if (!act) return false
      const input = (await json(request)) as never
      const answer = await asked
        .run(headers, () => act(input))
        .catch((error: unknown) => ({ error: String(error) }))
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer ?? null))
      return true
    },
    async close() {
      for (const { resolve } of held.values()) resolve()
      await worker.stop()
      await services.database.close()
      await Promise.all([provider.close(), own.close(), tools.close(), remote.close()])
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** What `app/` reads for the page at an address: the frame around it, and its own; null where there is no page. */
async function readView(path: string): Promise<{ frame: pages.Frame; page: object | null }> {
  const { pathname, searchParams } = new URL(path, 'http://localhost')
  const [root, id = '', below] = pathname.split('/').slice(1).map(decodeURIComponent)
  const query = Object.fromEntries(searchParams)
  const frame = await pages.readFrame()
  const pageOf = async (): Promise<object | null> => {
    if (root === '') return pages.newChatView()
    if (root === 'settings') return (await settings[id]?.()) ?? {}
    if (root !== 'c') return null
    return below === 'compare'
      ? pages.comparisonView(id, query.left, query.right)
      : pages.chatView(id, query.branch)
  }
  return { frame, page: await pageOf() }
}

const settings: Record<string, () => Promise<object>> = {
  models: pages.readModelSettings,
  'new-chats': pages.readNewChatSettings,
  data: pages.readDataSettings,
  remotes: pages.readRemoteSettings,
  tools: pages.readToolSettings,
  links: pages.readLinks,
  about: readAbout,
}

const textOf = (content: unknown): string =>
  Array.isArray(content)
    ? content.map((part: { text?: string }) => part.text ?? '').join('')
    : String(content)
