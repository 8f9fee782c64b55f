import { micromark } from 'micromark'
import { describe, expect, it } from 'vitest'
import type { MessageData } from '@/lib/context'
import { type ReadableChat, readableChat } from '@/lib/conversations/exports/readable-chat'
import { chatHtml } from '@/lib/conversations/exports/write-html'
import { chatJsonl } from '@/lib/conversations/exports/write-jsonl'
import { chatMarkdown, contained, fenced, inline } from '@/lib/conversations/exports/write-markdown'
import { chatPreferences } from '@/lib/conversations/exports/write-preferences'
import { contextOfCall } from '@/lib/conversations/gateway/call-context'
import type { ExportPart, Graph } from '@/lib/protocol'
import { cpuTime } from '@/testing/worlds/cpu-time'
import { hostileTexts } from '@/testing/worlds/hostile-texts'
import { branch, sketchGraph } from '@/testing/worlds/sketch-graph'

/** What an agent was given: instructions, and a tool of its own. */
const context = contextOfCall(
  {
    system: ['Answer in verse.'],
    tools: [{ name: 'clock', description: 'The time', inputSchema: { type: 'object', properties: {} } }],
    settings: {},
  } as never,
  'demo:demo',
)

/** A chat of these messages, by their parts; others say their own id. */
async function chatOf(
  graph: Graph,
  parts: Record<string, object[]> = {},
  of?: string,
  { without, metadata = {} }: { without?: ExportPart[]; metadata?: object } = {},
): Promise<ReadableChat> {
  const message = (id: string): MessageData => ({
    id,
    chatId: 'chat',
    parentId: null,
    createdAt: 0,
    contextId: 'x',
    name: graph.nodes.find((node) => node.id === id)?.role ?? 'user',
    data: { id, parts: parts[id] ?? [{ type: 'text', text: `says ${id}` }] },
  })
  const ports = {
    reads: { graph: async () => graph, context: async () => context },
    store: {
      getMessagesById: async (_: string, ids: string[]) => ids.map(message),
      getChat: async () => ({ metadata }),
    },
  }
  return readableChat(ports as never, { ownerId: 'ada', chatId: 'chat', branch: of, without })
}

const forked = (): Graph => ({
  ...sketchGraph('q', 'q>a', 'a>q2', 'q2>a2', 'a>q3', 'q3>a3'),
  title: 'A <b>trip</b> & more',
  branches: [branch('main', 'a2'), branch('side', 'a3', { parentBranchId: 'main', archivedAt: 1 })],
  checkpoints: [{ id: 'c', name: 'mark', messageId: 'a2', createdAt: 0 }],
})

async function textOf(pieces: AsyncIterable<string>): Promise<string> {
  let text = ''
  for await (const piece of pieces) text += piece
  return text
}

const text = (words: string) => ({ type: 'text', text: words })
const markdownOf = (chat: ReadableChat) => textOf(chatMarkdown(chat))
const htmlOf = (chat: ReadableChat) => textOf(chatHtml({ files: {} } as never, chat, { ownerId: 'ada' }))
interface Said {
  role: string
  content: string | null
}
type TrainingLine = { tools?: unknown } & Record<'messages' | 'prompt' | 'chosen' | 'rejected', Said[]>
const linesOf = async (pieces: AsyncIterable<string>) =>
  (await textOf(pieces))
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as TrainingLine)
const trainingPorts = { reads: { context: async () => context }, models: {} } as never
const trainingOf = (chat: ReadableChat, only?: string) =>
  linesOf(chatJsonl(trainingPorts, chat, { chatId: 'chat', only }))
const pairsOf = (chat: ReadableChat, only?: string) =>
  linesOf(chatPreferences(trainingPorts, chat, { chatId: 'chat', only }))
/** The messages of each line, without the instructions. */
const jsonlOf = async (chat: ReadableChat, only?: string) =>
  (await trainingOf(chat, only)).map(({ messages }) => messages.filter(({ role }) => role !== 'system'))

/** The messages of a text, by their ids. */
const saidIn = (text: string) => [...text.matchAll(/says (\w+)/g)].map(([, id]) => id).join(' ')
const clock = { type: 'tool-clock', toolCallId: '1', state: 'output-available', input: { zone: 'UTC' } }

describe('a chat in Markdown', () => {
  it('given two branches, when the chat is written, then each message stands once, and a branch says where it left', async () => {
    const text = await markdownOf(await chatOf(forked()))
    expect(saidIn(text)).toBe('q a q2 a2 q3 a3')
    expect(text).toContain('# A \\<b\\>trip\\</b\\> \\& more')
    expect(text).toContain('# Branch: side (archived)\n\nIt goes on from “a”.')
    expect(text).toContain('checkpoint “mark”')
    expect(text).toContain('6 messages, 2 branches')
  })

  it('given a branch, when it is asked for, then its whole chain is written and nothing else', async () => {
    const text = await markdownOf(await chatOf(forked(), {}, 'side'))
    expect(saidIn(text)).toBe('q a q3 a3')
    expect(text).not.toContain('# Branch')
    expect(text).toContain('**Branch:** side\n\n4 messages\n')
  })

  it('given messages that a branch has moved away from, when the chat is written, then they come last', async () => {
    const graph = { ...forked(), branches: [branch('main', 'a2')] }
    const text = await markdownOf(await chatOf(graph))
    expect(text).toContain('On no branch any more')
    expect(text.match(/says \w+/g)).toHaveLength(6)
  })

  const open = ['```\ncode', '<!-- a', '<script>\n\n', '<details>', '~~~~\n\n\n', '$$', '[a]: <']
  it.each([...open, '- a\n\n      b\n\n  ```', '# You\n\n## Assistant', 'You\n==='])(
    'given the text %j, when another message follows, then that one is a heading of the document',
    (text) => {
      const html = micromark(`${contained(text)}\n\n## Next`, { allowDangerousHtml: true })
      expect(html.endsWith('<h2>Next</h2>')).toBe(true)
      expect(html.replaceAll(/<blockquote>[\s\S]*<\/blockquote>/g, '').match(/<h[12]>/g)).toHaveLength(1)
    },
  )

  it('given harmless text, when it is written, then it is as it was', () => {
    for (const text of ['Plain.', '**a** _b_\n\n- c\n- d', '```js\nx\n```', '### Third'])
      expect(contained(text)).toBe(text)
  })

  it('given any text in a fence, when it is read again, then it is all of the fence', () => {
    for (const text of ['```', 'a\n`````\nb', '~~~', 'a`b']) {
      expect(micromark(fenced(text))).toBe(`<pre><code>${text.replaceAll('"', '&quot;')}\n</code></pre>`)
    }
  })

  it('given any words in a line, when they are read as Markdown, then they are the same words', () => {
    for (const words of ['*a* _b_ `c`', '[x](javascript:alert(1))', '<img>', '# a', '1 \\ 2', '![a](b)']) {
      expect(micromark(inline(words)).replace(/<\/?p>/g, '')).toBe(
        words.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
      )
    }
  })

  it('given tools, thoughts, files and sources, when they are written, then each can be read', async () => {
    const parts = {
      a: [
        { type: 'reasoning', text: 'Hm.' },
        { ...clock, output: { at: '```' } },
        { ...clock, type: 'dynamic-tool', toolName: 'gone', state: 'output-error', errorText: 'No.' },
        { ...clock, toolCallId: 'c3', input: 'now', output: 'noon' },
        { type: 'file', filename: 'a_b.png', mediaType: 'image/png', url: '/api/files/1' },
        { type: 'source-url', url: 'https://a.b/c', title: 'C' },
        { type: 'source-url', url: 'javascript:alert(1)' },
      ],
    }
    const written = await markdownOf(await chatOf(forked(), parts))
    const blocks = ['**Thoughts**\n\n> Hm.', '**Tool: clock**', '````json', '**It failed**']
    // words are no JSON
    const spoken = '**Tool: clock**\n\n```\nnow\n```\n\n**Answer**\n\n```\nnoon\n```'
    for (const words of [...blocks, spoken, '**File:** a\\_b.png', '<https://a.b/c>'])
      expect(written).toContain(words)
    expect(written).not.toContain('<javascript')
  })
})

describe('a chat as a page', () => {
  it('given hostile words everywhere, when the page is written, then they are text', async () => {
    const evil = `</script></style></title><script>alert(1)</script><img src=x onerror=alert(1)>"'\u0000\u2028`
    const graph = forked()
    const named = {
      ...graph,
      title: evil,
      nodes: graph.nodes.map((node) => ({ ...node, preview: evil })),
      branches: graph.branches.map((one) => ({ ...one, name: `${one.name}${evil}` })),
      checkpoints: graph.checkpoints.map((one) => ({ ...one, name: evil })),
    }
    const parts = {
      q: [text(evil)],
      a: [
        text(`${evil} [x](javascript:alert(1)) ![y](https://evil.example/p.png)`),
        { type: 'tool-x', toolCallId: '1', state: 'output-error', input: { evil }, errorText: evil },
        { type: 'file', filename: evil, mediaType: 'text/html', url: 'https://evil.example' },
        { type: 'source-url', url: 'javascript:alert(1)', title: evil },
      ],
    }
    const page = await htmlOf(await chatOf(named, parts))
    expect(page.match(/<\/title>/g)).toHaveLength(page.match(/<title/g)?.length ?? 0)
    expect(page.match(/<\/style>/g)).toHaveLength(1)
    expect(page).not.toMatch(/<script|<img|href="javascript|src="http/i)
    expect(page).not.toContain('\u0000')
    expect(page).toContain('default-src &#39;none&#39;')
  })

  it('given a fork and a merge, when the page is written, then its drawing has every message, each leading to its place', async () => {
    const graph = forked()
    const nodes = graph.nodes.map((node) => (node.id === 'a2' ? { ...node, mergeParentId: 'q3' } : node))
    const page = await htmlOf(await chatOf({ ...graph, nodes }))
    const [svg = ''] = /<svg[\s\S]*?\n<\/svg>/.exec(page) ?? []
    const targets = [...svg.matchAll(/<a href="#(m\d+)">/g)].map(([, id]) => id)
    expect(new Set(targets).size).toBe(6)
    for (const id of targets) expect(page).toContain(`<article id="${id}"`)
    expect(svg.match(/class="edge lane/g)).toHaveLength(5)
    expect(svg.match(/class="edge merge/g)).toHaveLength(1)
    expect(svg).toContain('⚑ mark')
  })

  it.each(Object.keys(hostileTexts))('given a reply of %s, then it is written in no time', async (name) => {
    const chat = await chatOf(forked(), { a: [text(hostileTexts[name]?.(60_000) ?? '')] })
    const worked = cpuTime()
    await htmlOf(chat)
    await markdownOf(chat)
    expect(worked()).toBeLessThan(3000)
  })
})

describe('a chat as training data', () => {
  it('given two branches, when it is written, then each is a line, from the root to its last reply', async () => {
    const lines = await jsonlOf(await chatOf(forked()))
    expect(lines.map((line) => line.map(({ content }) => content?.replace('says ', '')).join(' '))).toEqual([
      'q a q2 a2',
      'q a q3 a3',
    ])
    expect(await jsonlOf(await chatOf(forked()), 'side')).toHaveLength(1)
  })

  it('given a branch that another goes on from, and a question without a reply, when it is written, then both are left out', async () => {
    const graph = { ...sketchGraph('q', 'q>a', 'a>q2'), branches: [branch('main', 'a'), branch('on', 'q2')] }
    expect(await jsonlOf(await chatOf(graph))).toEqual([
      [
        { role: 'user', content: 'says q' },
        { role: 'assistant', content: 'says a' },
      ],
    ])
  })

  it('given a reply with tools, when it is written, then call, answer and words follow each other as the format has them', async () => {
    const a = [{ type: 'reasoning', text: 'Hm.' }, { ...clock, output: { at: 9 } }, text('Nine.')]
    const graph = { ...sketchGraph('q', 'q>a'), branches: [branch('main', 'a')] }
    expect(await jsonlOf(await chatOf(graph, { a }))).toEqual([
      [
        { role: 'user', content: 'says q' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            { id: '1', type: 'function', function: { name: 'clock', arguments: '{"zone":"UTC"}' } },
          ],
        },
        { role: 'tool', tool_call_id: '1', content: '{"at":9}' },
        { role: 'assistant', content: 'Nine.' },
      ],
    ])
  })
})

describe('what goes into an export', () => {
  const parts = {
    a: [{ type: 'reasoning', text: 'Secret thought.' }, { ...clock, output: { at: 9 } }, text('Nine.')],
  }
  const graph = () => ({ ...sketchGraph('q', 'q>a'), branches: [branch('main', 'a')] })
  const traces = {
    thoughts: /Secret thought/,
    tools: /clock/,
    context: /Answer in verse/,
  } as const

  it.each([
    ['thoughts', ['thoughts']],
    ['tools', ['tools']],
    ['context', ['context']],
    ['all of them', ['thoughts', 'tools', 'context']],
    ['nothing', []],
  ] as [string, ExportPart[]][])(
    'given a reply with thoughts, a tool and instructions, when %s is left out, then Markdown and page hold the rest',
    async (_, without) => {
      const read = () => chatOf(graph(), parts, undefined, { without })
      for (const written of [await markdownOf(await read()), await htmlOf(await read())]) {
        expect(written).toContain('Nine.')
        for (const [part, trace] of Object.entries(traces)) {
          expect([part, trace.test(written)]).toEqual([part, !without.includes(part as ExportPart)])
        }
      }
    },
  )

  it('given instructions that stay the same, when the chat is read, then they are said once', async () => {
    const written = await markdownOf(await chatOf(forked()))
    expect(written.match(/Answer in verse/g)).toHaveLength(1)
  })

  it('given an imported chat, when it is written, then it names its address in its own program, and no other than of the web', async () => {
    const from = (origin: string) =>
      chatOf(graph(), {}, undefined, { metadata: { imported: { source: 'chatgpt', origin } } })
    const address = 'https://chatgpt.com/c/1'
    expect(await markdownOf(await from(address))).toContain(`Imported from <${address}>`)
    expect(await htmlOf(await from(address))).toContain(`Imported from <a href="${address}">`)
    for (const write of [markdownOf, htmlOf])
      expect(await write(await from('javascript:alert(1)'))).not.toContain('Imported')
  })
})

describe('a chat for training', () => {
  const graph = () => ({ ...sketchGraph('q', 'q>a'), branches: [branch('main', 'a')] })
  const a = [{ ...clock, output: { at: 9 } }, { ...clock, type: 'tool-gone', toolCallId: '2' }, text('Nine.')]
  const named = (name: string, rest: object = {}) => ({ type: 'function', function: { name, ...rest } })

  it('given tools that an agent brought and one that is gone, when the line is written, then it defines both', async () => {
    const [line] = await trainingOf(await chatOf(graph(), { a }))
    expect(line?.messages[0]?.content).toContain('Answer in verse.')
    expect(line?.tools).toEqual([
      named('clock', { description: 'The time', parameters: { type: 'object', properties: {} } }),
      named('gone', { parameters: { type: 'object' } }),
    ])
  })

  it('given tools or context that are left out, when the line is written, then it is without them', async () => {
    const [bare] = await trainingOf(
      await chatOf(graph(), { a }, undefined, { without: ['tools', 'context'] }),
    )
    expect(bare).toEqual({
      messages: [
        { role: 'user', content: 'says q' },
        { role: 'assistant', content: 'Nine.' },
      ],
    })
  })

  const roles = (graph: Graph, replies: string) => ({
    ...graph,
    nodes: graph.nodes.map((node) => ({
      ...node,
      role: replies.split(' ').includes(node.id) ? 'assistant' : 'user',
    })),
  })
  const said = (messages: Said[] = []) =>
    messages.flatMap(({ role, content }) => (role === 'system' ? [] : [content]))
  const drawnPairs = async (graph: Graph, only?: string) =>
    (await pairsOf(await chatOf(graph, {}, only), only)).map(({ prompt, chosen, rejected }) =>
      [said(prompt), said(chosen), said(rejected)].map((some) => some.join(', ')),
    )

  // q ─ a ─ r ─ b
  //  └─ c    └─ d
  const twice = (): Graph => ({
    ...roles(sketchGraph('q', 'q>a', 'q>c', 'a>r', 'r>b', 'r>d'), 'a b c d'),
    branches: [branch('main', 'd'), branch('side', 'c'), branch('old', 'b')],
  })

  it('given two forks of replies, when pairs are written, then each fork is a line with the kept reply as the chosen one', async () => {
    expect(await drawnPairs(twice())).toEqual([
      ['says q', 'says a', 'says c'],
      ['says q, says a, says r', 'says d', 'says b'],
    ])
  })

  it('given one branch, when its pairs are written, then forks that it does not pass are left out', async () => {
    expect(await drawnPairs(twice(), 'side')).toEqual([['says q', 'says c', 'says a']])
  })

  it('given an edited question or a reply that failed, when pairs are written, then there is none', async () => {
    const graph = twice()
    const failed = graph.nodes.map((node) =>
      ['b', 'c'].includes(node.id) ? { ...node, status: 'failed' as const } : node,
    )
    expect(await drawnPairs({ ...graph, nodes: failed })).toEqual([])
    const edited = {
      ...roles(sketchGraph('q', 'q>a', 'a>r', 'a>s'), 'a'),
      branches: [branch('main', 'r'), branch('side', 's')],
    }
    expect(await drawnPairs(edited)).toEqual([])
  })
})
