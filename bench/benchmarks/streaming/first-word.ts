import { newId } from '@/lib/events'
import { inTurns } from '../../alternate'
import type { Reading } from '../../fixtures/streaming/read-reply'
import type { Stage } from '../../fixtures/streaming/stage'
import { providerRequest, type StreamRequest, turnRequest } from '../../fixtures/streaming/stream-request'
import { addedTo, type Result } from '../../result'
import { atMost, median } from '../../statistics'

const bench = 'streaming'
/** in ms, at one stream */
const TARGET = atMost(15)
/** turns in one chat: its prompt stays about as short as the one the model is called with directly */
const TURNS = 10
const pace = { words: 5, perSecond: Number.POSITIVE_INFINITY }

/** How much later the first word comes through the app than from the model, one reply at a time. */
export async function firstWord({ app, provider, readers, quick }: Stage): Promise<Result[]> {
  const read = async (request: StreamRequest): Promise<Reading> => {
    const [reading] = await readers.ask('read', [request])
    if (reading?.words !== pace.words) throw new Error(`Of ${pace.words} words came ${reading?.words}`)
    return reading
  }
  const stored: number[] = []
  const begunChat = begunChats((chatId) => read(turnRequest(app, chatId, pace)))
  const times = await inTurns(
    {
      direct: async () => (await read(providerRequest(provider.url, pace))).firstWord,
      opening: async () => (await read(turnRequest(app, newId(), pace))).firstWord,
      next: async () => {
        const reading = await read(turnRequest(app, await begunChat(), pace))
        stored.push(reading.firstPart)
        return reading.firstWord
      },
    },
    quick ? { rounds: 30, warmup: 20, budget: 5_000 } : { rounds: 200, warmup: 50, budget: 60_000 },
  )
  const against = { name: 'the model, called directly', value: median(times.direct) }
  const row = (what: string, through: number[]): Result =>
    addedTo({
      bench,
      what,
      against,
      ours: median(through),
      added: median(through.map((time, round) => time - (times.direct[round] ?? 0))),
      target: TARGET,
    })
  const note = `of a next turn's first word, ${median(stored).toFixed(1)} ms are until the turn is stored`
  return [
    row('first word of a first turn, 1 stream', times.opening),
    { ...row('first word of a next turn, 1 stream', times.next), note },
  ]
}

/** Answers with a chat that has begun; with a new one after every few turns. */
function begunChats(begin: (chatId: string) => Promise<unknown>): () => Promise<string> {
  let chatId = ''
  let left = 0
  return async () => {
    if (left-- === 0) {
      chatId = newId()
      left = TURNS - 1
      await begin(chatId)
    }
    return chatId
  }
}
