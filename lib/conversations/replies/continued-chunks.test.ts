import { readUIMessageStream, type UIMessage, type UIMessageChunk } from 'ai'
import { convertArrayToReadableStream } from 'ai/test'
import { expect, it } from 'vitest'
import { continuedMessage, cutReply } from '@/lib/context'
import { ContinuedChunks } from './continued-chunks'

type Part = UIMessage['parts'][number]

const start = { type: 'start', messageId: 'new' } as const
const words = (id: string, ...deltas: string[]): UIMessageChunk[] => [
  { type: 'text-start', id },
  ...deltas.map((delta): UIMessageChunk => ({ type: 'text-delta', id, delta })),
  { type: 'text-end', id },
]
const thoughts: UIMessageChunk[] = [
  { type: 'reasoning-start', id: '0' },
  { type: 'reasoning-delta', id: '0', delta: 'Hm' },
  { type: 'reasoning-end', id: '0' },
]
const called: UIMessageChunk[] = [
  { type: 'tool-input-available', toolCallId: '1', toolName: 'weather', input: {} },
  { type: 'tool-output-available', toolCallId: '1', output: 'Rain' },
]
const step: UIMessageChunk = { type: 'start-step' }

const finished: Part = {
  type: 'tool-weather',
  toolCallId: '0',
  state: 'output-available',
  input: {},
  output: 'Sun',
}
const cuts: [title: string, parts: Part[]][] = [
  ['words', [{ type: 'step-start' }, { type: 'text', text: 'In Lis' }]],
  ['words with a blank end', [{ type: 'text', text: 'In ' }]],
  ['a call', [{ type: 'text', text: 'Look:' }, finished]],
  ['steps', [{ type: 'step-start' }, finished, { type: 'step-start' }, { type: 'text', text: 'It is' }]],
  [
    'sources',
    [
      { type: 'text', text: 'In Lis' },
      { type: 'source-url', sourceId: 's', url: 'https://a.org' },
    ],
  ],
]
const additions: [title: string, chunks: UIMessageChunk[]][] = [
  ['words', [start, step, ...words('0', 'bo', 'n'), { type: 'finish-step' }]],
  ['words that begin with nothing, then a space', [start, step, ...words('0', '', ' and', ' on')]],
  ['thoughts and words', [start, step, ...thoughts, ...words('txt', 'bon')]],
  ['words in two parts', [start, step, ...words('0', 'bon'), ...words('0', 'And Porto')]],
  ['a call, then words', [start, step, ...called, { type: 'finish-step' }, step, ...words('0', 'Rain')]],
  ['words, a call, words', [start, step, ...words('0', 'bon'), ...called, step, ...words('0', 'Rain')]],
  [
    'words that turn out to be thoughts',
    [start, step, ...words('0', 'Hm'), { type: 'reset-step' }, ...thoughts, ...words('1', 'bon')],
  ],
  ['nothing', [start, step]],
  ['no beginning', []],
]

async function messageOf(chunks: UIMessageChunk[]): Promise<UIMessage> {
  let message: UIMessage = { id: 'new', role: 'assistant', parts: [] }
  const stream = convertArrayToReadableStream(chunks)
  for await (const state of readUIMessageStream({ message, stream })) message = state
  return message
}

/** The parts of a message as a reader has them in the end: no page knows steps. */
const asRead = ({ parts }: UIMessage) =>
  parts
    .filter(({ type }) => type !== 'step-start')
    .map((part) => ({ ...part, state: undefined, providerExecuted: undefined, title: undefined }))

it.each(
  cuts.flatMap(([cut, parts]) => additions.map(([more, chunks]) => [cut, more, parts, chunks] as const)),
)(
  'given a reply that was cut after %s, when %s comes, then readers have what is stored',
  async (_cut, _more, parts, chunks) => {
    const cut = cutReply({ id: 'cut', role: 'assistant', parts: [...parts] }, 'a:b')
    if (!cut) throw new Error('There is nothing to go on from')
    const stored = continuedMessage(cut, await messageOf(chunks))
    const reader = new ContinuedChunks(cut, start)
    const read = [...chunks, { type: 'finish' } as const].flatMap((chunk) => [...reader.next(chunk)])
    expect(read[0]).toEqual(start)
    expect(asRead(await messageOf(read))).toEqual(asRead(stored))
  },
)
