// Longer than 400 lines because it is one table, and each of its ways begins with the same things.

import { beforeAll, expect, it } from 'vitest'
import * as actions from '@/app/(chat)/c/[id]/actions'
import { driveImport } from '@/lib/conversations'
import { lineHash, updatesLine } from '@/lib/conversations/exchange/pack-lines'
import { newId } from '@/lib/events'
import { allOperations } from '@/lib/server/api'
import * as chatList from '@/lib/server/api/chat-list'
import * as chats from '@/lib/server/api/chats'
import * as commands from '@/lib/server/api/commands'
import { changeContext, readContext } from '@/lib/server/api/contexts'
import { exportChat } from '@/lib/server/api/exports'
import { uploadFile } from '@/lib/server/api/files'
import * as gateway from '@/lib/server/api/gateway'
import { importFile, readFileImport } from '@/lib/server/api/imports'
import type { Operation } from '@/lib/server/api/operation'
import * as members from '@/lib/server/api/remotes/members'
import { pushPack, readRefs } from '@/lib/server/api/remotes/packs'
import { copyShare, createShare } from '@/lib/server/api/shares'
import { takeTurn } from '@/lib/server/api/turn'
import { startBisect } from '@/lib/server/api/verbs/bisects'
import * as fanning from '@/lib/server/api/verbs/fan-out'
import * as merges from '@/lib/server/api/verbs/merges'
import * as moves from '@/lib/server/api/verbs/moves'
import * as replays from '@/lib/server/api/verbs/replays'
import * as undoing from '@/lib/server/api/verbs/undo'
import { answerMcp } from '@/lib/server/mcp/endpoint'
import { mcpTools } from '@/lib/server/mcp/tools'
import { checkDatabase } from '@/lib/store'
import { useApi } from '@/testing/worlds/api-world'
import { behindFront, cameFrom, inRequestOf } from '@/testing/worlds/framework'
import { mcpRequest } from '@/testing/worlds/mcp-world'
import { onOneDatabase } from '@/testing/worlds/open-stores'

/** Far away, except for the branches of a chat. */
const most = { branches: 4, of_the_rest: 1_000_000_000 }
const settings = Object.fromEntries(
  ['CHATS', 'BYTES', 'MESSAGES', 'CALLS', 'TOKENS', 'SITE_CALLS', 'SITE_TOKENS'].flatMap((name) => [
    [`RAMIFY_QUOTA_${name}`, String(most.of_the_rest)],
    ...(name.startsWith('SITE') ? [] : [[`RAMIFY_QUOTA_ADDRESS_${name}`, String(most.of_the_rest)]]),
  ]),
)

/** What the refusal says of each limit. */
const sentences = {
  chats: /^You have .* chats/,
  branches: /^This chat has 4 branches/,
  bytes: /^What you have stored/,
  messages: /^You have sent .* messages today/,
  calls: /^You have asked for .* replies today/,
  tokens: /^Your replies have used .* tokens today/,
  address_chats: /chats were created at your network address today/,
  address_bytes: /^Your network address has stored/,
  address_messages: /messages were sent from your network address today/,
  address_calls: /replies were asked for from your network address today/,
  address_tokens: /^Replies to your network address have used/,
  site_calls: /^The whole site has asked/,
  site_tokens: /^All replies on this site/,
} as const
type Limit = keyof typeof sentences

/** What a way does, as the limits that it meets. */
const stores: Limit[] = ['bytes', 'address_bytes']
const begins: Limit[] = ['chats', 'address_chats', ...stores]
const opens: Limit[] = ['branches', ...stores]
const says: Limit[] = ['messages', 'address_messages', ...stores]
const asks: Limit[] = [
  ...(['calls', 'tokens', 'address_calls', 'address_tokens', 'site_calls', 'site_tokens'] as const),
  ...stores,
]
/** Without an address: the worker does it, when the person's request is over. */
const later = (limits: Limit[]): Limit[] => limits.filter((limit) => !limit.startsWith('address'))

type Answer = { code: string; detail: string }
type Api = ReturnType<typeof useApi>

/** A person, and a chat of theirs with a turn on each of two branches, a checkpoint and a link. */
interface Things {
  chatId: string
  main: string
  side: string
  question: string
  reply: string
  /** a question that the side branch alone has */
  aside: string
  /** the reply to it */
  late: string
  contextId: string
  token: string
  /** a chat of someone else, which the person is a member of */
  lent: string
  file: string
}

interface Person {
  ask(operation: Operation, asking?: Parameters<Api['ask']>[1]): ReturnType<Api['ask']>
  act(action: () => Promise<{ ok: boolean; problem?: Answer }>): Promise<Answer>
  tool(name: string, input: object): Promise<Answer>
  agent(operation: Operation, body: object): Promise<Answer>
  bring(text: string): Promise<Answer>
}

interface Way {
  /** the operation, tool or action that it takes */
  by: string
  meets: readonly Limit[]
  /** the words of the refusal; those of `sentences` unless given */
  words?: (limit: Limit) => RegExp
  go(person: Person, things: Things): Promise<Answer>
}

const text = (words: string) => ({ id: newId(), role: 'user', parts: [{ type: 'text', text: words }] })

/** A way by an operation of the API, whose body follows from what there is. */
const over = (
  operation: Operation,
  meets: readonly Limit[][],
  asking: (things: Things) => Parameters<Api['ask']>[1],
): Way => ({
  by: operation.id,
  meets: [...new Set(meets.flat())],
  go: async ({ ask }, things) => (await ask(operation, asking(things))).body as Answer,
})
const byTurn = (meets: Limit[][], body: (things: Things) => object) =>
  over(takeTurn, meets, (things) => ({ body: { id: things.chatId, model: 'demo:demo', ...body(things) } }))
const byTool = (name: string, meets: Limit[][], input: (things: Things) => object): Way => ({
  by: `tool ${name}`,
  meets: [...new Set(meets.flat())],
  go: ({ tool }, things) => tool(name, { chat_id: things.chatId, ...input(things) }),
})
const byAction = <Input>(
  name: string,
  action: (input: Input) => Promise<unknown>,
  meets: Limit[][],
  input: (things: Things) => Omit<Input, 'chatId'>,
): Way => ({
  by: `action ${name}`,
  meets: [...new Set(meets.flat())],
  go: ({ act }, things) =>
    act(
      () =>
        action({ chatId: things.chatId, ...input(things) } as Input) as ReturnType<
          Parameters<Person['act']>[0]
        >,
    ),
})
const byAgent = (operation: Operation, body: object): Way => ({
  by: operation.id,
  meets: [...new Set([...begins, ...says, ...asks])],
  go: ({ agent }) => agent(operation, { model: 'demo:demo', ...body }),
})

/** The report of an import says it, and what to do. */
const inReport = (limit: Limit) =>
  new RegExp(`^A limit of this server is reached: .* ${limit}\\. .* Make room`)

const messages = [{ role: 'user', content: 'Where is Braga?' }]

/** A push of one more message below the question, on a branch. */
const push = (meets: Limit[][], branch: string): Way => ({
  by: pushPack.id,
  meets: [...new Set(meets.flat())],
  async go({ ask }, { chatId, reply }) {
    const { origin, branches } = (await ask(readRefs, { id: chatId })).body
    const old = branches.find(({ name }: { name: string }) => name === branch)?.head_message_id ?? null
    const id = newId()
    const message = { id, parentId: old ?? reply, role: 'user', createdAt: new Date(0).toISOString() }
    const hash = lineHash()
    const lines = [
      { t: 'pack', version: 1, chat_id: chatId, origin, title: null },
      { t: 'message', ...message, data: text('Pushed') },
    ].map((line) => JSON.stringify(line))
    for (const line of lines) hash.add(line)
    const sent = [
      updatesLine([{ branch, old, new: id }]),
      ...lines,
      JSON.stringify({ t: 'end', ...hash.end() }),
    ]
    const headers = { 'content-type': 'application/x-ndjson' }
    return (await ask(pushPack, { id: chatId, raw: sent.join('\n'), headers })).body as Answer
  },
})

/** Every way that stores or asks for something which is limited. */
const ways: readonly Way[] = [
  byTurn([says, asks], ({ main }) => ({ branch: main, message: text('And then?') })),
  byTurn([begins, says, asks], () => ({ id: newId(), message: text('A new chat') })),
  byTurn([opens, says, asks], ({ question }) => ({ messageId: question, message: text('Otherwise') })),
  byTurn([opens, asks], ({ reply }) => ({ trigger: 'regenerate-message', messageId: reply })),
  over(commands.createThread, [begins], () => ({ body: { title: 'Another' } })),
  over(commands.sendMessage, [says, asks], ({ main }) => ({
    body: { thread_id: main, content: 'And then?' },
  })),
  over(commands.forkThread, [opens], ({ main }) => ({ body: { source_thread_id: main, event_number: 2 } })),
  over(moves.switchThread, [stores], ({ main }) => ({ body: { thread_id: main } })),
  over(moves.rewindThread, [opens], ({ main, question }) => ({
    body: { thread_id: main, message_id: question },
  })),
  over(moves.renameThread, [stores], ({ side }) => ({ body: { thread_id: side, name: 'another name' } })),
  over(moves.archiveThread, [stores], ({ main }) => ({ body: { thread_id: main } })),
  over(moves.saveCheckpoint, [stores], ({ main, reply }) => ({
    body: { thread_id: main, message_id: reply, name: 'another' },
  })),
  over(moves.removeCheckpoint, [stores], ({ main }) => ({ body: { thread_id: main, name: 'kept' } })),
  over(moves.restoreCheckpoint, [opens], ({ main }) => ({ body: { thread_id: main, name: 'kept' } })),
  over(merges.cherryPick, [says], ({ main, aside }) => ({
    body: { target_thread_id: main, message_ids: [aside] },
  })),
  over(merges.mergeThreads, [says], ({ main, side }) => ({
    body: { source_thread_id: side, target_thread_id: main, mode: 'brief', brief: 'In short.' },
  })),
  over(merges.compactThread, [opens, says], ({ main }) => ({
    body: { thread_id: main, summary: 'In short.' },
  })),
  over(fanning.fanOut, [opens, says, asks], ({ main }) => ({
    body: { thread_id: main, content: 'And then?', models: ['demo:demo', 'demo:demo'] },
  })),
  over(replays.replayThread, [opens, says, asks], ({ main }) => ({
    body: { source_thread_id: main, model: 'demo:demo' },
  })),
  over(startBisect, [opens, asks], ({ chatId, late }) => ({
    id: chatId,
    body: { message_id: late, judge: { kind: 'text', text: 'a' } },
  })),
  over(moves.leaveOut, [stores], ({ main, reply }) => ({
    body: { thread_id: main, message_ids: [reply], left_out: true },
  })),
  over(undoing.undo, [stores], ({ chatId }) => ({ body: { chat_id: chatId } })),
  over(changeContext, [stores], ({ chatId, contextId }) => ({
    id: chatId,
    body: { expected_context_id: contextId, fragments: [{ name: 'role', data: 'You are brief.' }] },
  })),
  over(chatList.changeChat, [stores], ({ chatId }) => ({ id: chatId, body: { title: 'Another title' } })),
  over(copyShare, [begins], ({ token }) => ({ id: token })),
  over(members.copyChat, [begins], ({ lent }) => ({ id: lent })),
  over(uploadFile, [stores], () => ({ raw: form('a text that is new') })),
  {
    by: importFile.id,
    words: inReport,
    meets: later(begins),
    go: ({ bring }) => bring(JSON.stringify([{ role: 'user', content: `Brought ${newId()}` }])),
  },
  {
    by: 'restore of an export',
    words: inReport,
    meets: later(begins),
    go: ({ bring }, { file }) => bring(file),
  },
  push([stores], 'main'),
  push([opens], 'another'),
  byTool('send_message', [says, asks], () => ({ text: 'And then?', wait_seconds: 0 })),
  byTool('fork', [opens], ({ reply }) => ({ message_id: reply })),
  byTool('rewind', [opens], ({ question }) => ({ message_id: question })),
  byTool('checkpoint', [stores], () => ({ name: 'another' })),
  byTool('bookmark', [stores], ({ reply }) => ({ message_id: reply, name: 'another' })),
  byTool('undo', [stores], () => ({})),
  byTool('fan_out', [opens, says, asks], () => ({
    text: 'And then?',
    models: ['demo:demo', 'demo:demo'],
  })),
  byTool('cherry_pick', [says], ({ aside }) => ({ branch: 'main', message_ids: [aside] })),
  byTool('leave_out', [stores], ({ reply }) => ({ branch: 'main', message_ids: [reply] })),
  byTool('replay', [opens, says, asks], () => ({ branch: 'main', model: 'demo:demo' })),
  byTool('merge', [says], () => ({ source: 'side', target: 'main', brief: 'In short.' })),
  byAgent(gateway.completeChat, { messages }),
  byAgent(gateway.createMessage, { messages, max_tokens: 9 }),
  byAgent(gateway.createResponse, { input: 'Where is Braga?' }),
  byAction('rewind', actions.rewind, [opens], ({ main, question }) => ({
    branchId: main,
    messageId: question,
  })),
  byAction('pickMessages', actions.pickMessages, [says], ({ main, aside }) => ({
    branchId: main,
    messageIds: [aside],
  })),
  byAction('leaveOut', actions.leaveOut, [stores], ({ main, reply }) => ({
    branchId: main,
    messageIds: [reply],
    leftOut: true,
  })),
  byAction('compactBranch', actions.compactBranch, [opens, says], ({ main }) => ({
    branchId: main,
    summary: 'In short.',
  })),
  byAction('replay', actions.replay, [opens, says, asks], ({ main }) => ({
    branchId: main,
    replayId: newId(),
    model: 'demo:demo',
  })),
]

/** Writes that no quota limits: what they store is bounded by its number, or goes, or is another way's. */
const elsewhere = new Set(
  [
    // accounts, and what a person has a bounded number of
    'signInAsGuest signUp signIn signOut signOutEverywhere askForReset resetPassword changePassword changeEmail',
    'confirmEmail deleteAccount signInElsewhere askForPasskey signInWithPasskey offerPasskey addPasskey changeAccount',
    'endSession renamePasskey removePasskey createKey revokeKey registerClient issueTokens revokeTokens connectApp',
    'disconnectApp createPreset changePreset removePreset createShare revokeShare addToolServer removeToolServer',
    'addRemote removeRemote',
    // a person has a bounded number of proposals, and the merge or the pick that takes one is a way above
    'openProposal updateProposal commentOnProposal takeProposal declineProposal',
    // a chat has a bounded number of members, who are let in and out whatever else is full
    'inviteMember changeMemberRole removeMember takeInvitation',
    'saveProviderKey testProviderKey removeProviderKey changeChatDefaults',
    // nothing is stored, or what a way above has begun goes on or ends
    'fetchPack stopReply deleteChats cancelImport previewImport countMessageTokens previewMerge previewSummary steerReplay steerBisect',
    // it begins an import, as a file does
    'importAgentSessions',
    'workOnceByPost',
    // what they receive is stored by the way of a push
    'fetchRemote pullRemote pushRemote cloneRemote',
    // moves that need another one before them, by the same use case as those above
    'unarchiveThread keepThread redo changeChats steerAgent',
  ]
    .flatMap((line) => line.split(' '))
    .concat('tool steer'),
)

function form(said: string): FormData {
  const data = new FormData()
  data.set('file', new File([said], 'a.txt'))
  return data
}

onOneDatabase('limits, by each way to reach them', ({ name }) => {
  behindFront()
  const api = useApi(name, {
    ...settings,
    RAMIFY_QUOTA_BRANCHES: String(most.branches),
    RAMIFY_WORKER: 'off',
  })
  const address = '192.0.2.7'

  const arrive = async () => {
    const someone = await api.person()
    const headers = { cookie: someone.browser.cookie, ...cameFrom(address) }
    const { key } = await someone.script()
    const ask: Person['ask'] = (operation, asking) =>
      api.ask(operation, { ...asking, headers: { ...headers, ...asking?.headers } })
    const inRequest = new Headers({ ...headers, host: 'localhost:3000' })
    const person: Person = {
      ask,
      act: async (action) => (await inRequestOf({ headers: inRequest }, action)).problem ?? done,
      tool: async (tool, input) => {
        const asked = mcpRequest(new URL('http://localhost:3000/mcp'), key, 'tools/call', {
          name: tool,
          arguments: input,
        })
        for (const [header, value] of Object.entries(cameFrom(address))) asked.headers.set(header, value)
        const said = await (await answerMcp(asked)).text()
        const [, detail = said, code = ''] = /"text":"(.*?)\s*\((\w+)\)"/.exec(said) ?? []
        return { detail, code }
      },
      agent: async (operation, body) => {
        const sent = { ...cameFrom(address), authorization: `Bearer ${key}` }
        const response = await api.respond(operation, { body, headers: sent })
        const { error = {} } = (await response.json()) as { error?: { message?: string; code?: string } }
        return { detail: error.message ?? '', code: response.status === 429 ? 'quota_exceeded' : '' }
      },
      bring: async (said) => {
        const { body } = await ask(importFile, { raw: form(said) })
        if (body.import_id === undefined) return body
        await (await driveImport(api.services.ports, new AbortController().signal))?.ended
        const report = (await ask(readFileImport, { id: body.import_id })).body
        const detail = report.reason ?? report.problems[0]?.reason ?? ''
        return { detail, code: detail === '' ? '' : 'quota_exceeded' }
      },
    }
    return { ...person, id: someone.id }
  }
  const done: Answer = { code: '', detail: '' }

  /** Has someone else let a person into a chat with a message, which no limit of the person's counts. */
  const lentTo = async (ask: Person['ask']): Promise<string> => {
    const [other, chatId] = [await api.person(), newId()]
    await other.ask(takeTurn, { body: { id: chatId, model: 'demo:demo', message: text('Where is Evora?') } })
    const invited = await other.ask(members.inviteMember, { id: chatId, body: { role: 'reads' } })
    return (await ask(members.takeInvitation, { id: invited.body.token })).body.chat_id
  }

  /** Has a person's chat with as many branches as asked for. */
  const things = async ({ ask }: Person, branches: number): Promise<Things> => {
    const chatId = newId()
    const main = newId()
    const turn = (branch: string, words: string) =>
      ask(takeTurn, { body: { id: chatId, branch, model: 'demo:demo', message: text(words) } })
    await turn(main, 'Where is Porto?')
    const { nodes } = (await ask(chats.readGraph, { id: chatId })).body
    const [question, reply] = nodes.map(({ id }: { id: string }) => id)
    const fork = (branch: string) =>
      ask(moves.rewindThread, { body: { thread_id: main, message_id: reply, name: branch } })
    const forked = async (name: string): Promise<string> => (await fork(name)).body.thread_id
    for (let more = 2; more < branches; more++) await turn(await forked(`more ${more}`), 'Where is Braga?')
    const side = await forked('side')
    await turn(side, 'Where is Faro?')
    const graph = (await ask(chats.readGraph, { id: chatId })).body
    const asked = graph.nodes.findIndex(({ preview }: { preview: string }) => preview === 'Where is Faro?')
    const [aside, late] = [graph.nodes[asked].id, graph.nodes[asked + 1].id]
    const contextId = (await ask(readContext, { id: chatId })).body.context_id
    await ask(moves.saveCheckpoint, { body: { thread_id: main, message_id: reply, name: 'kept' } })
    const shared = await ask(createShare, {
      body: { chat_id: chatId, branch: main, graph: false, follow: true },
    })
    const file = (await ask(exportChat, { id: chatId, query: '?format=json' })).text
    // as a chat that is not here
    const elsewhere = file.replaceAll(chatId, newId())
    return {
      chatId,
      main,
      side,
      question,
      reply,
      aside,
      late,
      contextId,
      token: shared.body.token,
      lent: await lentTo(ask),
      file: elsewhere,
    }
  }

  const reached = async (limit: Limit, owner: string) => {
    const [, scope = 'person', what = limit] = /^(address|site)_(.+)$/.exec(limit) ?? []
    if (scope === 'person') {
      // a sum that is not known would be worked out, and the other one with it
      const used = { bytes: 0, chats: 0, [what]: most.of_the_rest }
      const set = Object.entries(used).map(([column, count]) => `${column} = ${count}`)
      return api.query(`update quota_person set ${set.join(', ')} where user_id = $1`, owner)
    }
    return api.query(
      `insert into quota_use (scope, key, day, stripe, ${what})
      values ($1, $2, (clock_timestamp() at time zone 'UTC')::date, 99, $3)`,
      ...[scope, scope === 'site' ? '' : address, most.of_the_rest],
    )
  }
  const free = (owner: string) =>
    Promise.all([
      api.query('delete from quota_use where stripe = 99'),
      api.query(
        'update quota_person set bytes = null, chats = null, messages = 0, calls = 0, tokens = 0 where user_id = $1',
        owner,
      ),
    ])
  const written = async (owner: string) =>
    JSON.stringify(
      await api.query(
        `select count(*)::int as chats, sum(last_seq)::int as events,
          (select count(*)::int from files where owner_id = $1 and is_whole) as files from chats where user_id = $1`,
        owner,
      ),
    )

  let person: Awaited<ReturnType<typeof arrive>>
  let full: Things
  let roomy: Things
  // what is refused leaves nothing: all ways begin with the same
  beforeAll(async () => {
    person = await arrive()
    roomy = await things(person, 2)
    full = await things(person, most.branches)
  })

  const cells = ways.flatMap((way, number) =>
    way.meets.map((limit) => ({ way, limit, by: `${way.by} (${number})` })),
  )

  it.each(cells)(
    'given a limit of $limit that is reached, when it is $by, then that is refused in words, and nothing is written',
    async ({ way, limit }) => {
      const before = await written(person.id)
      if (limit !== 'branches') await reached(limit, person.id)
      try {
        const { code, detail } = await way.go(person, limit === 'branches' ? full : roomy)
        const words = way.words?.(limit) ?? sentences[limit]
        expect([detail, code]).toEqual([expect.stringMatching(words), 'quota_exceeded'])
        expect(await written(person.id)).toBe(before)
      } finally {
        await free(person.id)
      }
    },
  )

  it('then every operation and tool that writes is a way, or is known to be limited elsewhere', () => {
    const taken = new Set(ways.map(({ by }) => by))
    const writing = [
      ...allOperations.filter(({ method }) => method !== 'get').map(({ id }) => id),
      ...mcpTools.filter(({ scope }) => scope === 'write').map((tool) => `tool ${tool.name}`),
    ]
    expect(writing.filter((id) => !taken.has(id) && !elsewhere.has(id))).toEqual([])
    expect([...elsewhere].filter((id) => !writing.includes(id))).toEqual([])
  })

  it('given all of it, then what is noted of every person is what is there', async () => {
    expect(await checkDatabase(api.services.database)).toEqual([])
  })
})
