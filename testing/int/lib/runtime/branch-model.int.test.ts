import { expect, it } from 'vitest'
import {
  chooseModel,
  fanOut,
  forkThread,
  previewReplay,
  readContext,
  readPrompt,
  rewind,
  sendMessage,
  startReplay,
} from '@/lib/conversations'
import { newId } from '@/lib/events'
import { onServedDatabase } from '@/testing/worlds/open-stores'
import { ask, givenWorld, MODEL, openPage, putContext, seedChat, takeTurn } from '@/testing/worlds/turn-world'

// The model of a branch is the branch's: whatever does not name one asks it, and it changes with a choice alone.

const OTHER = 'openai-compatible:other'
const GONE = 'openai-compatible:gone'

onServedDatabase('the model of a branch', ({ name }) => {
  const { world, services } = givenWorld(name, { OPENAI_COMPATIBLE_MODELS: 'scripted,other' })

  /** A chat whose first message went to one model and whose second to another. */
  const given = async (second = OTHER) => {
    const chatId = newId()
    await takeTurn(services, { chatId, text: 'one', model: MODEL })
    await takeTurn(services, { chatId, text: 'two', model: second })
    return { chatId, ...(await openPage(services, chatId)) }
  }
  /** A chat whose branch is answered by a model that is gone. */
  const givenGone = () => seedChat(services, ['one', 'Noted.'], GONE)
  const asked = () => `openai-compatible:${world.provider.requests.at(-1)?.model}`
  const contextModel = async (chatId: string, branch?: string) =>
    (await readContext(services.ports, { ownerId: 'ada', chatId, branch })).model
  const branchModel = async (chatId: string, branchId: string) =>
    (await services.ports.reads.graph(chatId, 'ada'))?.branches.find(({ id }) => id === branchId)?.model

  it('given a second model, then context, prompt and graph name it', async () => {
    const { chatId, branchId } = await given()
    const prompt = await readPrompt(services.ports, { ownerId: 'ada', chatId, branch: branchId })
    expect([prompt.model, await contextModel(chatId), await branchModel(chatId, branchId)]).toEqual([
      OTHER,
      OTHER,
      OTHER,
    ])
  })

  it.each([
    ['the next message', () => ({ text: 'three' })],
    ['another reply to the last message', () => ({ trigger: 'regenerate-message' as const })],
    [
      'another reply to the first message',
      (ids: string[]) => ({ trigger: 'regenerate-message' as const, messageId: ids[1] }),
    ],
    ['the first message, edited', (ids: string[]) => ({ text: 'one, please', messageId: ids[0] })],
  ])('given no model in the request for %s, then the branch’s own is asked', async (_, request) => {
    const { chatId, window } = await given()
    const more = request(window.messages.map(({ id }) => id))
    await takeTurn(services, { ...more, chatId, model: undefined })
    expect([asked(), await contextModel(chatId)]).toEqual([OTHER, OTHER])
  })

  it('given a choice, then it is the branch’s alone, told with the change, and the rest of the context stays', async () => {
    const { chatId, branchId, window } = await given()
    const at = { ownerId: 'ada', chatId }
    const { branchId: fork } = await rewind(services.ports, {
      ...at,
      branchId,
      messageId: window.messages.at(-1)?.id ?? '',
    })
    await putContext(services, chatId, { settings: { temperature: 0.4 } }, fork)
    const delta = await chooseModel(services.ports, { ...at, branch: fork, model: MODEL })
    expect(delta.branches).toMatchObject([{ id: fork, model: MODEL }])
    expect(await readContext(services.ports, { ...at, branch: fork })).toMatchObject({
      model: MODEL,
      settings: { temperature: 0.4 },
    })
    expect(await contextModel(chatId, branchId)).toBe(OTHER)
  })

  it('given a choice of a model that is not offered, then it is refused and nothing changes', async () => {
    const { chatId, branchId } = await given()
    const chosen = chooseModel(services.ports, { ownerId: 'ada', chatId, branch: branchId, model: GONE })
    await expect(chosen).rejects.toMatchObject({ code: 'unknown_model' })
    expect(await contextModel(chatId)).toBe(OTHER)
  })

  it('given two choices at the same time, then both are taken and one of them holds', async () => {
    const { chatId, branchId } = await given()
    const choose = (model: string) =>
      chooseModel(services.ports, { ownerId: 'ada', chatId, branch: branchId, model })
    await Promise.all([choose(MODEL), choose('demo:demo'), choose(MODEL)])
    expect([MODEL, 'demo:demo']).toContain(await contextModel(chatId))
  })

  it('given a command without a model, then the thread’s own is asked; its fork has it too', async () => {
    const { chatId, branchId } = await given()
    await sendMessage(services.ports, { ownerId: 'ada', threadId: branchId, content: 'three' })
    const graph = await services.ports.reads.graph(chatId, 'ada')
    expect(graph?.runs.map(({ model }) => model)).toEqual([OTHER])
    const { thread_id } = await forkThread(services.ports, {
      ownerId: 'ada',
      sourceThreadId: branchId,
      eventNumber: 6,
    })
    expect(await branchModel(chatId, thread_id)).toBe(OTHER)
  })

  it('given replies without models, then the branch’s own writes each', async () => {
    const { chatId, branchId } = await given()
    const { message } = ask({ chatId, text: 'three' })
    const { replies, ended } = await fanOut(services.ports, {
      ownerId: 'ada',
      chatId,
      branch: branchId,
      message,
      targets: [{}, {}],
    })
    await ended
    expect(replies.map(({ model }) => model)).toEqual([OTHER, OTHER])
  })

  it('given a replay without a model, then the branch’s own is asked', async () => {
    const { chatId, branchId } = await given()
    const at = { ownerId: 'ada', chatId, branchId }
    expect((await previewReplay(services.ports, at)).model).toBe(OTHER)
    const { branchId: replayed } = await startReplay(services.ports, { ...at, replayId: newId() })
    expect(await branchModel(chatId, replayed)).toBe(OTHER)
  })

  it('given a model that is gone, then it is still named, and nothing else is asked until another is chosen', async () => {
    const { chatId, branchId } = await givenGone()
    const before = world.provider.requests.length
    const at = { ownerId: 'ada', chatId }
    expect(await contextModel(chatId)).toBe(GONE)
    expect((await readPrompt(services.ports, { ...at, branch: branchId })).model).toBe(GONE)
    const refused = { code: 'unknown_model', message: expect.stringContaining(GONE) }
    await expect(takeTurn(services, { chatId, text: 'three', model: undefined })).rejects.toMatchObject(
      refused,
    )
    const again = { chatId, trigger: 'regenerate-message' as const, model: undefined }
    await expect(takeTurn(services, again)).rejects.toMatchObject(refused)
    const sent = sendMessage(services.ports, { ownerId: 'ada', threadId: branchId, content: 'three' })
    await expect(sent).rejects.toThrow(GONE)
    expect(world.provider.requests).toHaveLength(before)

    await chooseModel(services.ports, { ...at, branch: branchId, model: MODEL })
    await takeTurn(services, { chatId, text: 'three', model: undefined })
    expect(asked()).toBe(MODEL)
  })
})
