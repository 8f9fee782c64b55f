import { randomUUID } from 'node:crypto'
import type { Arena } from '@/testing/faults/arena'
import type { Visitor } from '@/testing/faults/visitor'
import { ask } from './attack'

/** The kinds of ids that a person has. */
export const kinds = [
  ...(['chat', 'thread', 'message', 'context', 'run', 'replay', 'bisect', 'checkpoint'] as const),
  ...([
    'key',
    'file',
    'preset',
    'share',
    'import',
    'toolServer',
    'remote',
    'session',
    'passkey',
    'grant',
  ] as const),
] as const

export type Kind = (typeof kinds)[number] | 'shareToken'

/** A guest and an id of each kind that the guest has, all of whose texts hold a mark. */
export interface Belongings {
  visitor: Visitor
  /** a word that stands in everything that the guest has, and nowhere else */
  mark: string
  ids: Readonly<Record<Kind | 'secretKey', string>>
}

/** Has a guest do everything that leaves something with an id. */
export async function belongingsAt(base: string, arena: Arena): Promise<Belongings> {
  arena.answer = () => 'Noted.'
  const mark = `mark-${randomUUID().slice(0, 13)}`
  const visitor = await arena.visitor(base)
  const chat = randomUUID()
  const turn = await visitor.send(base, chat, `${mark} I am here`)
  await turn.rest()
  const { runId: run, userMessageId: message, replyId: reply } = turn.run
  const json = <T>(path: string, body?: object) => visitor.json<T>(`${base}/api/${path}`, body)
  const { branches } = await visitor.graph(base, chat)
  const thread = branches[0]?.id ?? ''
  await patch(visitor, `${base}/api/chats/${chat}`, { title: `${mark} a chat`, tags: [mark] })
  const content = { fragments: [{ id: 'f', name: 'role', data: `${mark} a role`, enabled: true }] }
  const { id: preset } = await json<{ id: string }>('context-presets', { name: `${mark} preset`, content })
  await json('commands/save-checkpoint', {
    thread_id: thread,
    message_id: reply,
    name: `${mark} a checkpoint`,
  })
  const { id: share, token: shareToken } = await json<{ id: string; token: string }>('shares', {
    chat_id: chat,
    branch: thread,
    graph: true,
    follow: true,
  })
  const { id: key, key: secretKey } = await json<{ id: string; key: string }>('keys', {
    name: `${mark} a key`,
  })
  const replayed = await json<{ replay_id: string }>('commands/replay-thread', {
    source_thread_id: thread,
    from_message_id: message,
  })
  const bisected = await ask(visitor, `${base}/api/chats/${chat}/bisects`, {
    method: 'POST',
    body: JSON.stringify({ message_id: reply, judge: { kind: 'text', text: mark } }),
  })
  const upload = async (path: string, text: string) => {
    const form = new FormData()
    form.set('file', new Blob([text]), `${mark}.txt`)
    const answer = await fetch(`${base}/api/${path}`, {
      method: 'POST',
      headers: { cookie: visitor.cookie },
      body: form,
    })
    return (await answer.json()) as { id?: string; import_id?: string }
  }
  const { id: file = randomUUID() } = await upload('files', `${mark} a text`)
  const list = [{ role: 'user', content: `${mark} imported` }]
  const { import_id = randomUUID() } = await upload('import', JSON.stringify(list))
  const { contexts } = await json<{ contexts: { id: string }[] }>(`chats/${chat}/contexts`)
  const { sessions } = await json<{ sessions: { id: string }[] }>('account/sessions')
  const bisect = (JSON.parse(bisected.text) as { bisect_id?: string }).bisect_id
  return {
    visitor,
    mark,
    ids: {
      chat,
      thread,
      message,
      run,
      context: contexts[0]?.id ?? randomUUID(),
      checkpoint: `${mark} a checkpoint`,
      replay: replayed.replay_id,
      bisect: bisect ?? randomUUID(),
      key,
      secretKey,
      file,
      preset,
      share,
      shareToken,
      import: import_id,
      session: sessions[0]?.id ?? randomUUID(),
      // guests have none
      toolServer: randomUUID(),
      remote: 'work',
      passkey: randomUUID(),
      grant: randomUUID(),
    },
  }
}

async function patch(visitor: Visitor, url: string, body: object): Promise<void> {
  const { status, text } = await ask(visitor, url, { method: 'PATCH', body: JSON.stringify(body) })
  if (status !== 200) throw new Error(`${url}: ${status} ${text}`)
}
