import { beforeAll, expect, it } from 'vitest'
import { deleteChat, parseUserMessage, readPrompt, rewind, searchChats } from '@/lib/conversations'
import { newId } from '@/lib/events'
import { fileUrl } from '@/lib/protocol'
import { checkDatabase, moveBelongings } from '@/lib/store'
import { onOneDatabase } from '@/testing/worlds/open-stores'
import { pdfFile, pngImage } from '@/testing/worlds/sample-files'
import {
  type Ask,
  addPerson,
  givenWorld,
  isSound,
  modelsFile,
  openPage,
  sayTo,
  takeTurn,
} from '@/testing/worlds/turn-world'

const READER = 'openai-compatible:reader'

onOneDatabase('the files of messages', ({ name }) => {
  const { world, services } = givenWorld(name, {
    // one model of which nothing is known, and one that reads text alone
    RAMIFY_MODELS_FILE: modelsFile({ input: ['text/plain'] }, READER),
    OPENAI_COMPATIBLE_MODELS: 'scripted,reader',
    RAMIFY_QUOTA_BYTES: '100000000',
    RAMIFY_DEMO_DELAY_MS: '0',
    RAMIFY_LOCAL_MODELS: 'off',
  })

  beforeAll(() => addPerson(services, 'bob'))

  const upload = async (called: string, bytes: Buffer, mediaType: string, ownerId = 'ada') => {
    const file = await services.files.store(ownerId, { name: called, bytes, mediaType })
    if (!file) throw new Error('The owner is missing')
    return { ...file, bytes, part: { type: 'file', filename: called, url: fileUrl(file.id) } }
  }
  const picture = (note: string = newId()) => upload('map.png', pngImage(note), 'image/png')

  /** Takes a turn to its end; answers the messages of its branch, and the request that the provider got. */
  const say = async ({ parts, id = newId(), ...turn }: Omit<Ask, 'text'> & { parts?: object[] }) => {
    const message = parts && { message: parseUserMessage({ id, role: 'user', parts }) }
    return sayTo(world, services, { ...turn, ...message })
  }
  const isStored = async ({ id }: { id: string }) => (await services.files.of('ada', [id])).length === 1
  const chunks = async ({ id }: { id: string }) =>
    (await services.database.query('select 1 from file_chunks where file_id = $1', [id])).length

  it('given a picture, a PDF and a text, when they are sent, then the provider gets the bytes and the text, as the inspector shows', async () => {
    const chatId = newId()
    const map = await picture()
    const paper = await upload('paper.pdf', pdfFile(), 'application/pdf')
    const notes = await upload('notes.md', Buffer.from('# Plan\n\nGo east.\n'), 'text/markdown')
    const look = { type: 'text', text: 'Look!' }
    // what the client says of a type does not count
    const parts = [map.part, paper.part, { ...notes.part, mediaType: 'text/html' }, look]
    const { messages, request } = await say({ chatId, parts })
    const [question, reply] = messages
    expect(question?.parts).toEqual([
      { ...map.part, mediaType: 'image/png' },
      { ...paper.part, mediaType: 'application/pdf' },
      { ...notes.part, mediaType: 'text/markdown' },
      look,
    ])
    const written = { type: 'text', text: '<file name="notes.md">\n# Plan\n\nGo east.\n</file>' }
    const data = (type: string, bytes: Buffer) => `data:${type};base64,${bytes.toString('base64')}`
    expect(request?.messages.at(-1)?.content).toEqual([
      { type: 'image_url', image_url: { url: data('image/png', map.bytes) } },
      { type: 'file', file: { filename: 'paper.pdf', file_data: data('application/pdf', paper.bytes) } },
      ...[written, look],
    ])
    const shown = await readPrompt(services.ports, { ownerId: 'ada', chatId, message: reply?.id ?? '' })
    expect(shown.messages.at(-1)?.content).toMatchObject([
      { type: 'file', filename: 'map.png', mediaType: 'image/png' },
      { type: 'file', filename: 'paper.pdf', mediaType: 'application/pdf' },
      ...[written, look],
    ])
    expect(JSON.stringify(shown.messages)).toContain(map.bytes.toString('base64'))
    expect(JSON.stringify(shown.messages)).toContain(paper.bytes.toString('base64'))
  })

  it('given a model that draws, then its picture is stored as a file of the chat, and one that is none is left out', async () => {
    const chatId = newId()
    const bytes = pngImage('drawn')
    const url = (content: Buffer) => `data:image/png;base64,${content.toString('base64')}`
    world.answer = () => ({
      text: 'Here:',
      added: [
        { images: [{ image_url: { url: url(bytes) } }, { image_url: { url: url(bytes.subarray(0, 40)) } }] },
      ],
    })
    const { messages } = await say({ chatId, parts: [{ type: 'text', text: 'Draw' }] })
    const [words, drawn, left] = messages.at(-1)?.parts.filter(({ type }) => type !== 'step-start') ?? []
    expect(words).toMatchObject({ type: 'text', text: 'Here:' })
    expect(drawn).toMatchObject({ type: 'file', mediaType: 'image/png', filename: 'picture.png' })
    expect(left).toMatchObject({
      type: 'text',
      text: expect.stringMatching(/^\[A file of the model .* cut off/),
    })
    const id = drawn?.type === 'file' ? (drawn.url.split('/').at(-1) ?? '') : ''
    const [file] = await services.files.of('ada', [id])
    expect(file).toMatchObject({ size: bytes.length, mediaType: 'image/png' })
    // the chat holds it: what was only uploaded would go after a day
    await services.database.query("update files set created_at = now() - interval '2 days' where id = $1", [
      id,
    ])
    await services.files.forgetUnheld(1000)
    expect(await isStored({ id })).toBe(true)

    world.answer = () => 'Noted.'
    const { request } = await say({ chatId, parts: [{ type: 'text', text: 'Thanks' }] })
    expect(JSON.stringify(request)).not.toContain('base64')
    expect(request?.messages.at(-2)?.content).toContain('this model cannot read what replies hold')
  })

  it('given the demo model, then it says which files it was given', async () => {
    const map = await picture()
    const notes = await upload('notes.txt', Buffer.from('what is 2+2'), 'text/plain')
    const { messages } = await say({ chatId: newId(), model: 'demo:demo', parts: [map.part, notes.part] })
    const told = `2 files:\n\n- map.png (image/png, ${map.size} bytes)\n- notes.txt (text, 11 bytes)`
    const text = expect.stringContaining(told)
    expect(messages.at(-1)?.parts).toContainEqual({ type: 'text', state: 'done', text })
  })

  it('given a message of files alone, then it is called after them, in the list, the graph and the search', async () => {
    const chatId = newId()
    const [map, word] = [await picture(), `zebra${newId().slice(-6)}`]
    const parts = [`${word}.png`, 'b.png'].map((filename) => ({ ...map.part, filename }))
    await say({ chatId, parts })
    const { graph, branchId } = await openPage(services, chatId)
    const text = `${word}.png, b.png`
    expect(await services.ports.reads.titleFacts(chatId, branchId)).toMatchObject({ text })
    expect([graph.title, graph.nodes[0]?.preview]).toEqual([text, text])
    const { hits } = await searchChats(services.ports, { ownerId: 'ada', query: word })
    expect(hits.map((hit) => hit.chatId)).toEqual([chatId])
  })

  it('given a model that does not take a file, when it is to answer one, then that is refused before anything is stored', async () => {
    const chatId = newId()
    const map = await picture()
    const notes = await upload('notes.txt', Buffer.from(`read ${newId()}`), 'text/plain')
    const message = expect.stringContaining('does not take images')
    const refused = { code: 'unsupported_file_type', message }
    await expect(say({ chatId, model: READER, parts: [map.part] })).rejects.toMatchObject(refused)
    expect(await services.database.query('select 1 from chats where id = $1', [chatId])).toEqual([])
    // text is for every model
    await say({ chatId, model: READER, parts: [notes.part] })
    const { messages } = await say({ chatId, parts: [map.part, { type: 'text', text: 'Here' }] })
    const count = async () =>
      (await services.database.query('select 1 from events where chat_id = $1', [chatId])).length
    const before = await count()
    const again = { trigger: 'regenerate-message', messageId: messages.at(-1)?.id } as const
    await expect(say({ chatId, model: READER, ...again })).rejects.toMatchObject(refused)
    expect(await count()).toBe(before)
    // further down it is told what it cannot read
    const { request } = await say({ chatId, model: READER, parts: [{ type: 'text', text: 'And now?' }] })
    expect(JSON.stringify(request?.messages)).toContain('The file \\"map.png\\" (image/png, ')
    expect(JSON.stringify(request?.messages)).not.toContain('base64')
  })

  it('given a file that is missing, someone else’s or not stored here, or eleven of them, then the message is refused', async () => {
    const theirs = await upload('theirs.png', pngImage('theirs'), 'image/png', 'bob')
    const send = (...parts: object[]) => say({ chatId: newId(), parts })
    const missing = { code: 'file_missing', message: expect.stringContaining('Attach it again') }
    await expect(send(theirs.part)).rejects.toMatchObject(missing)
    await expect(send({ type: 'file', url: '/api/files/none' })).rejects.toMatchObject(missing)
    for (const url of ['https://example.org/a.png', 'data:image/png;base64,AAAA', '/api/files/../keys']) {
      const part = { type: 'file', mediaType: 'image/png', url }
      await expect(send(part)).rejects.toMatchObject({ code: 'unsupported_file' })
    }
    const map = await picture()
    const many = send(...Array.from({ length: 11 }, () => map.part))
    await expect(many).rejects.toMatchObject({ code: 'too_many_files' })
    await expect(send()).rejects.toMatchObject({ code: 'empty_message' })
  })

  it('given a repeated request, then it is one message; with other files under its id it is refused', async () => {
    const [chatId, id] = [newId(), newId()]
    const [one, other] = [await picture(), await picture()]
    const first = await say({ chatId, id, parts: [one.part] })
    expect((await say({ chatId, id, parts: [one.part] })).messages).toEqual(first.messages)
    await expect(say({ chatId, id, parts: [other.part] })).rejects.toThrow('sent before')
  })

  it('given forks and an edit, then the file stays while one chat holds it, and goes with the last', async () => {
    const [first, second] = [newId(), newId()]
    const map = await picture()
    const one = [map.part, { type: 'text', text: 'One' }]
    const { messages, branchId } = await say({ chatId: first, parts: one })
    const edited = await say({
      chatId: first,
      branch: branchId,
      messageId: messages[0]?.id,
      parts: [map.part, { type: 'text', text: 'Two' }],
    })
    expect(edited.messages[0]?.parts).toContainEqual({ ...map.part, mediaType: 'image/png' })
    await rewind(services.ports, {
      ownerId: 'ada',
      chatId: first,
      branchId: edited.branchId,
      messageId: edited.messages[0]?.id ?? '',
    })
    await say({ chatId: second, parts: [map.part] })
    await deleteChat(services.ports, { ownerId: 'ada', chatId: first })
    expect([await isStored(map), await chunks(map)]).toEqual([true, 1])
    await deleteChat(services.ports, { ownerId: 'ada', chatId: second })
    expect([await isStored(map), await chunks(map)]).toEqual([false, 0])
  })

  it('given chats that are deleted and messages that are sent at the same time, then the file is there as long as it is held', async () => {
    const map = await picture()
    const chats = Array.from({ length: 6 }, () => newId())
    for (const chatId of chats) await say({ chatId, model: 'demo:demo', parts: [map.part] })
    const [last = '', ...rest] = chats
    await Promise.all([
      ...rest.map((chatId) => deleteChat(services.ports, { ownerId: 'ada', chatId })),
      say({ chatId: last, model: 'demo:demo', parts: [map.part] }),
      say({ chatId: newId(), model: 'demo:demo', parts: [map.part] }),
    ])
    expect(await isStored(map)).toBe(true)
  })

  it('given an upload that was not sent, then it is deleted after a day, and one that was sent is not', async () => {
    const [sent, unsent, fresh] = [await picture(), await picture(), await picture()]
    await say({ chatId: newId(), parts: [sent.part] })
    const age = `update files set uploaded_at = now() - interval '25 hours' where id <> $1`
    await services.database.query(age, [fresh.id])
    await services.chores['deleting files that were not sent']()
    expect([await isStored(sent), await isStored(unsent), await isStored(fresh)]).toEqual([true, false, true])
  })

  it('given a guest with files, when an account signs in that has one of them too, then every message keeps its own', async () => {
    const guest = await addPerson(services)
    const note = newId()
    const own = await picture(note)
    const theirs = await upload('map.png', pngImage(note), 'image/png', guest)
    const [before, moved] = [newId(), newId()]
    await say({ chatId: before, parts: [own.part] })
    await takeTurn(services, {
      ownerId: guest,
      chatId: moved,
      message: parseUserMessage({ id: newId(), role: 'user', parts: [theirs.part] }),
    })
    await moveBelongings(services.database, guest, 'ada')
    await services.database.query('delete from "user" where id = $1', [guest])
    expect([await isStored(own), await isStored(theirs)]).toEqual([true, true])
    // the next upload of it is one of the two, and its reply is asked with the bytes
    expect([own.id, theirs.id]).toContain((await picture(note)).id)
    const { request } = await say({ chatId: moved, parts: [{ type: 'text', text: 'And here?' }] })
    expect(JSON.stringify(request?.messages)).toContain(theirs.bytes.toString('base64'))
    await deleteChat(services.ports, { ownerId: 'ada', chatId: moved })
    expect([await isStored(own), await isStored(theirs)]).toEqual([true, false])
  })

  it('given a person who is deleted, then the files go too', async () => {
    const eve = await addPerson(services)
    const file = await upload('map.png', pngImage(eve), 'image/png', eve)
    await services.database.query('delete from "user" where id = $1', [eve])
    expect(await services.files.of(eve, [file.id])).toEqual([])
    expect(await chunks(file)).toBe(0)
  })

  it('given what is broken, then the check of the database finds it', async () => {
    const map = await picture()
    const chatId = newId()
    await say({ chatId, parts: [map.part] })
    const { query } = services.database
    await isSound(services)
    const found = async () =>
      (await checkDatabase(services.database, { chatId })).map(({ invariant }) => invariant)
    expect(await found()).toEqual([])
    await query(`update file_chunks set bytes = 'x'::bytea where file_id = $1`, [map.id])
    expect(await found()).toEqual(['file-bytes'])
    await query('update file_chunks set bytes = $2 where file_id = $1', [map.id, map.bytes])
    await query(`update files set owner_id = 'bob' where id = $1`, [map.id])
    expect(await found()).toEqual(['file-owner'])
    await query(`update files set owner_id = 'ada' where id = $1`, [map.id])
    const other = newId()
    await say({ chatId: other, parts: [map.part] })
    await query('delete from chat_files where chat_id = $1', [chatId])
    expect(await found()).toEqual(['file-is-held'])
  })
})
