import { micromark } from 'micromark'
import { describe, expect, it } from 'vitest'
import type { MessageData } from '@/lib/context'
import { type ReadableChat, readableChat } from '@/lib/conversations/exports/readable-chat'
import { chatHtml } from '@/lib/conversations/exports/write-html'
import { chatJsonl } from '@/lib/conversations/exports/write-jsonl'
import { chatMarkdown, contained, fenced, inline } from '@/lib/conversations/exports/write-markdown'
import type { Graph } from '@/lib/protocol'
import { cpuTime } from '@/testing/worlds/cpu-time'
import { hostileTexts } from '@/testing/worlds/hostile-texts'
import { branch, sketchGraph } from '@/testing/worlds/sketch-graph'

/** A chat of these messages, by their parts; others say their own id. */
async function chatOf(
  graph: Graph,
  parts: Record<string, object[]> = {},
  of?: string,
): Promise<ReadableChat> {
  const message = (id: string): MessageData => ({
    ...{ id, chatId: 'chat', parentId: null, createdAt: 0 },
    name: graph.nodes.find((node) => node.id === id)?.role ?? 'user',
    data: { id, parts: parts[id] ?? [{ type: 'text', text: `says ${id}` }] },
  })
  const ports = {
    reads: { graph: async () => graph },
    store: { getMessagesById: async (_: string, ids: string[]) => ids.map(message) },
  }
  return readableChat(ports as never, { ownerId: 'ada', chatId: 'chat', branch: of })
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
const jsonlOf = async (chat: ReadableChat, only?: string) =>
  (await textOf(chatJsonl({ reads: {} } as never, chat, { chatId: 'chat', only })))
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line).messages as { role: string; content: string | null }[])

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
      ...{ ...graph, title: evil, nodes: graph.nodes.map((node) => ({ ...node, preview: evil })) },
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
          ...{ role: 'assistant', content: null },
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
