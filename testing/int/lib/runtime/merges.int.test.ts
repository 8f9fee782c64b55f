import { expect, it, vi } from 'vitest'
import {
  compactBranch,
  mergeBranches,
  pickMessages,
  previewMerge,
  previewSummary,
  readContext,
  rewind,
} from '@/lib/conversations'
import { onOneDatabase } from '@/testing/worlds/open-stores'
import {
  type Ask,
  givenWorld,
  MODEL,
  openPage,
  putContext,
  sayTo,
  seedChat,
} from '@/testing/worlds/turn-world'

const signal = new AbortController().signal

/** A chain as it is sent: two messages of a person in a row are one turn. */
function inTurns(lines: readonly string[]): string[] {
  const turns: string[] = []
  for (const line of lines) {
    const last = turns.at(-1)
    if (line.startsWith('user: ') && last?.startsWith('user: ')) {
      turns[turns.length - 1] = `${last}\n\n${line.slice('user: '.length)}`
    } else turns.push(line)
  }
  return turns
}

onOneDatabase('what a model reads after a merge', ({ name }) => {
  const { world, services } = givenWorld(name, { RAMIFY_DEFAULT_MODEL: MODEL })

  /** Takes a turn to its end; answers its branch and the messages that the provider got, besides the system prompt. */
  const say = async (turn: Ask) => {
    const { branchId, request } = await sayTo(world, services, turn)
    const sent = (request?.messages ?? []).map(({ role, content }) => `${role}: ${textOf(content)}`)
    return { branchId, system: sent[0] ?? '', messages: sent.slice(1) }
  }
  const textOf = (content: unknown): string =>
    typeof content === 'string' ? content : (content as { text: string }[]).map(({ text }) => text).join('')

  /** The chain of a branch, as lines and with ids. */
  const chainOf = async (chatId: string, branch: string) => {
    const { messages } = (await openPage(services, chatId, branch)).window
    return messages.map(({ id, role, parts, metadata }) => ({
      id,
      metadata,
      line: `${role}: ${parts.map((part) => (part.type === 'text' ? part.text : '')).join('')}`,
    }))
  }

  /** A chat with two branches, each with a turn of its own after a common one. */
  const twoBranches = async () => {
    const said = ['We are two.', 'Noted.', 'And Lisbon?', 'Stay in Lisbon.']
    const { chatId, branchId: main, ids } = await seedChat(services, said)
    const at = { ownerId: 'ada', chatId, branchId: main, messageId: ids[1] ?? '' }
    const { branchId: side } = await rewind(services.ports, at)
    world.answer = () => 'Three hours by train.'
    await say({ chatId, branch: side, text: 'And Porto?' })
    world.answer = () => 'Fine.'
    return { chatId, main, side, both: { ownerId: 'ada', chatId, sourceId: side, targetId: main } }
  }

  it.each(['brief', 'turns', 'context'] as const)(
    'given a merge by %s, when the target goes on, then the prompt is exactly its new chain',
    async (mode) => {
      const { chatId, main, side, both } = await twoBranches()
      const memories = [{ key: 'diet', text: 'Vegetarian', message_id: null }]
      await putContext(services, chatId, { memories }, side)

      const brief = mode === 'brief' ? 'Porto is near.' : undefined
      await mergeBranches(services.ports, { ...both, mode, brief })
      const { messages, system } = await say({ chatId, branch: main, text: 'Now decide.' })

      const chain = (await chainOf(chatId, main)).map(({ line }) => line)
      expect(messages).toEqual(inTurns(chain.slice(0, -1)))
      expect(chain.slice(0, 4)).toEqual([
        ...['user: We are two.', 'assistant: Noted.', 'user: And Lisbon?', 'assistant: Stay in Lisbon.'],
      ])
      const merged = {
        brief: [expect.stringMatching(/^user: Merged from branch “.+”: .+\n\nPorto is near\.$/)],
        turns: ['user: And Porto?', 'assistant: Three hours by train.'],
        context: [
          expect.stringMatching(/^user: Merged from branch “.+”: its context .+Memory diet: Vegetarian/s),
        ],
      }
      expect(chain.slice(4)).toEqual([...merged[mode], 'user: Now decide.', 'assistant: Fine.'])
      expect(system.includes('Vegetarian')).toBe(mode === 'context')
    },
  )

  it('given picked messages, or a summary, when the branch goes on, then the prompt is exactly its new chain', async () => {
    const { chatId, main, side } = await twoBranches()
    const own = (await chainOf(chatId, side)).slice(2)
    const target = { ownerId: 'ada', chatId, branchId: main }
    await pickMessages(services.ports, { ...target, messageIds: own.map(({ id }) => id) })
    const picked = await say({ chatId, branch: main, text: 'Now decide.' })
    const chain = await chainOf(chatId, main)
    expect(picked.messages).toEqual(chain.slice(0, -1).map(({ line }) => line))
    expect(chain.slice(4, 6).map(({ line }) => line)).toEqual(own.map(({ line }) => line))
    expect(chain.slice(4, 6).map(({ metadata }) => metadata?.copiedFrom)).toEqual(own.map(({ id }) => id))

    const { graph } = await openPage(services, chatId)
    const copies = graph.nodes.filter(({ copiedFromId }) => copiedFromId !== undefined)
    expect(copies.map(({ copiedFromId }) => copiedFromId)).toEqual(own.map(({ id }) => id))

    const { branchId, delta } = await compactBranch(services.ports, { ...target, summary: 'Two cities.' })
    const { messages } = await say({ chatId, branch: branchId, text: 'Go on.' })
    expect(messages).toEqual([
      expect.stringMatching(
        /^user: Summary of the 8 messages of branch “Main line” .+\n\nTwo cities\.\n\nGo on\.$/s,
      ),
    ])
    expect(delta.nodes).toMatchObject([{ mergeParentId: chain.at(-1)?.id, depth: 0 }])
    expect((await openPage(services, chatId)).graph.nodes).toContainEqual(delta.nodes?.[0])
    expect((await chainOf(chatId, main)).map(({ id }) => id)).toEqual(chain.map(({ id }) => id))
  })

  it('given a model that writes a brief, then it is asked with what both branches said, and its quotes and conflicts are checked', async () => {
    const { chatId, side, both } = await twoBranches()
    const [, , question, reply] = await chainOf(chatId, side)
    const conflict = { about: 'where to stay', source: 'In Porto', target: 'In Lisbon' }
    const written = {
      sections: [{ title: 'Found', points: ['Porto is three hours away.'] }],
      conflicts: [{ ...conflict, source_message: reply?.id, target_message: 'invented' }],
      quotes: [
        { message: reply?.id, text: 'Three hours by train.' },
        { message: question?.id, text: 'never said' },
      ],
    }
    world.answer = () => `Here it is:\n\`\`\`json\n${JSON.stringify(written)}\n\`\`\``

    const preview = await previewMerge(services.ports, { ...both, mode: 'brief', signal })

    expect(preview).toMatchObject({ writtenBy: MODEL, failure: null, count: 2 })
    expect(preview.brief).toBe('**Found**\n\n- Porto is three hours away.')
    expect(preview.quotes).toEqual([{ messageId: reply?.id, text: 'Three hours by train.' }])
    expect(preview.conflicts).toEqual([{ id: 'said:1', ...conflict, sourceMessageId: reply?.id }])
    const request = JSON.stringify(world.provider.requests.at(-1)?.messages)
    for (const words of ['And Porto?', 'Three hours by train.', 'And Lisbon?', 'Stay in Lisbon.']) {
      expect(request).toContain(words)
    }
    expect(request).not.toContain('We are two.')
    // and what was chosen stands in the message
    const { brief, quotes, conflicts } = preview
    await mergeBranches(services.ports, {
      ...both,
      mode: 'brief',
      brief,
      quotes,
      conflicts,
      resolutions: { 'said:1': { text: 'Two days in each' } },
    })
    const merged = (await chainOf(chatId, both.targetId)).at(-1)
    expect(merged?.line).toContain(
      'where to stay: “In Lisbon” here, “In Porto” on “And Porto?”. What counts is “Two days in each”.',
    )
    expect(merged?.metadata?.merge).toMatchObject({ sourceBranchId: side, mode: 'brief', quotes })
  })

  it.each([
    ['dies', () => ({ error: { status: 400 } })],
    ['answers nonsense', () => 'I would rather talk about something else.'],
    ['answers another form', () => '{"sections": "none"}'],
  ])('given a model that %s, then a digest is offered and nothing is lost', async (_what, answer) => {
    const { both } = await twoBranches()
    vi.spyOn(console, 'error').mockImplementation(() => undefined)
    world.answer = answer
    const preview = await previewMerge(services.ports, { ...both, mode: 'brief', signal })
    vi.restoreAllMocks()

    expect(preview).toMatchObject({ writtenBy: null, failure: expect.any(String), conflicts: [] })
    expect(preview.brief).toBe('**Asked and answered**\n\n- “And Porto?”: Three hours by train.')
    const asked = await previewMerge(services.ports, { ...both, mode: 'brief', by: 'digest', signal })
    expect(asked).toEqual({ ...preview, failure: null })
    const digest = await previewSummary(services.ports, {
      ownerId: 'ada',
      chatId: both.chatId,
      branchId: both.sourceId,
      by: 'digest',
      signal,
    })
    expect(digest).toMatchObject({ count: 4, summary: expect.stringContaining('We are two.') })
  })

  it('given contexts that both changed, when they are merged, then what is chosen counts, and the target’s wording without a choice', async () => {
    const { chatId, main, side, both } = await twoBranches()
    const remember = (branch: string, memories: Record<string, string>) => {
      const kept = Object.entries(memories).map(([key, text]) => ({ key, text, message_id: null }))
      return putContext(services, chatId, { memories: kept }, branch)
    }
    await remember(main, { diet: 'Vegetarian', pace: 'Slow', hotel: 'Any' })
    await remember(side, { diet: 'Vegan', pace: 'Fast', train: 'First class' })
    const preview = await previewMerge(services.ports, { ...both, mode: 'context', signal })
    expect(preview.conflicts).toMatchObject([
      { id: 'memory:diet', source: 'Vegan', target: 'Vegetarian' },
      { id: 'memory:pace', source: 'Fast', target: 'Slow' },
    ])

    const resolutions = { 'memory:diet': 'source' } as const
    await mergeBranches(services.ports, { ...both, mode: 'context', resolutions })

    const { memories, model } = await readContext(services.ports, { ownerId: 'ada', chatId, branch: main })
    const kept = memories.map(({ key, text }) => `${key}: ${text}`)
    expect(kept).toEqual(['diet: Vegan', 'pace: Slow', 'hotel: Any', 'train: First class'])
    expect(model).toBe(MODEL)
  })
})
