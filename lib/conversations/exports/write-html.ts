import { createHash } from 'node:crypto'
import { micromark } from 'micromark'
import { gfmHtml } from 'micromark-extension-gfm'
import type { UserId } from '@/lib/events'
import { speakerOf } from '@/lib/graph/speaker'
import { dialect, htmlAsText } from '@/lib/markdown/dialect'
import { isCostly } from '@/lib/markdown/markdown-cost'
import type { GraphCheckpoint } from '@/lib/protocol'
import type { Ports } from '../ports'
import { escapeHtml } from './escape-html'
import { graphSvg } from './html-graph'
import { pageStyle } from './html-style'
import { modelOf, type ReadableChat, type ReadableMessage, timeOf } from './readable-chat'
import { type ReadablePart, valueText } from './readable-parts'

/** Nothing is loaded and nothing runs: the style and its letters are in the page, and pictures are in it too. */
const policyFor = (style: string): string =>
  [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
    'font-src data:',
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')

/** A larger picture is named and not shown, in bytes; so are pictures beyond this in all. */
const PICTURE = 5 * 1024 * 1024
const PICTURES = 50 * 1024 * 1024

/** A chat as one page: its graph, then each branch from top to bottom, light or dark as the reader's system is. */
export async function* chatHtml(
  { files }: Pick<Ports, 'files'>,
  chat: ReadableChat,
  { ownerId }: { ownerId: UserId },
): AsyncGenerator<string> {
  const { title, sections, index, origin, onlyBranch, counts } = chat
  const { checkpoints } = index.graph
  const nodes = sections.flatMap((section) => section.nodes)
  const anchors = new Map(nodes.map(({ id }, at) => [id, `m${at + 1}`]))
  const times = nodes.map(({ createdAt }) => createdAt).filter(Number.isFinite)
  const [first, last] = [
    times.reduce((a, b) => Math.min(a, b), Infinity),
    times.reduce((a, b) => Math.max(a, b), 0),
  ]
  const facts = [...counts, ...(times.length > 0 ? [`${timeOf(first)} to ${timeOf(last)}`] : [])]
  const style = pageStyle()
  yield `<!doctype html>
<html lang="und">
<head>
<meta charset="utf-8">
<meta http-equiv="content-security-policy" content="${escapeHtml(policyFor(style))}">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="generator" content="Ramify">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body>
<header>
<h1 dir="auto">${escapeHtml(title)}</h1>
${onlyBranch === undefined ? '' : `<p class="facts">Branch: <bdi>${escapeHtml(onlyBranch)}</bdi></p>\n`}<p class="facts">${escapeHtml(facts.join(' · '))}</p>
`
  if (origin)
    yield `<p class="facts">Imported from <a href="${escapeHtml(origin)}">${escapeHtml(origin)}</a></p>\n`
  const named = sections.map((section, at) => ({ ...section, anchor: `branch-${at + 1}` }))
  if (named.length > 1) {
    const links = named.map(
      ({ anchor, title }) => `<li><a href="#${anchor}" dir="auto">${escapeHtml(title)}</a></li>`,
    )
    yield `<nav aria-label="Branches"><ul>${links.join('')}</ul></nav>\n`
  }
  yield '</header>\n'
  const svg = graphSvg(chat, anchors)
  // a wide graph scrolls, with the keys too
  if (svg)
    yield `<section class="graph" aria-label="Graph"><div tabindex="0" role="region" aria-label="Graph of the chat">${svg}</div></section>\n`
  yield '<main>\n'
  const shown = { left: PICTURES }
  for (const section of named) {
    const archived = section.isArchived ? ' <small>(archived)</small>' : ''
    yield named.length > 1
      ? `<h2 id="${section.anchor}" dir="auto">${escapeHtml(section.title)}${archived}</h2>\n`
      : ''
    if (section.after) {
      const anchor = anchors.get(section.after.id)
      const words = escapeHtml(section.after.preview || 'a message without text')
      yield `<p class="from">Goes on from ${anchor ? `<a href="#${anchor}">“${words}”</a>` : `“${words}”`}</p>\n`
    }
    for await (const read of chat.messages(section.nodes)) {
      if (read.context) yield contextHtml(read.context)
      const { id } = read.message
      yield* articleHtml(read, {
        anchor: anchors.get(id) ?? '',
        marks: checkpoints.filter(({ messageId }) => messageId === id),
        picture: (id) => pictureOf(files, ownerId, id, shown),
      })
    }
  }
  yield '</main>\n<footer>Exported from Ramify.</footer>\n</body>\n</html>\n'
}

interface Around {
  anchor: string
  marks: readonly GraphCheckpoint[]
  picture(fileId: string): Promise<string | undefined>
}

function contextHtml({ instructions, tools }: NonNullable<ReadableMessage['context']>): string {
  const said =
    instructions.trim() === '' ? '' : `<div class="plain" dir="auto">${escapeHtml(instructions)}</div>`
  const named = tools.length === 0 ? '' : `<p>Tools: ${escapeHtml(tools.join(', '))}</p>`
  return `<details><summary>Instructions</summary>${said}${named}</details>\n`
}

async function* articleHtml(
  { message, parts }: ReadableMessage,
  { anchor, marks, picture }: Around,
): AsyncGenerator<string> {
  const { name, createdAt, status } = message
  const model = modelOf(message)
  const facts = [timeOf(createdAt), ...(model ? [model] : [])]
  const ended = status ? ` <small class="${status}">${status}</small>` : ''
  const pinned = marks.map((mark) => ` <span class="mark">⚑ ${escapeHtml(mark.name)}</span>`).join('')
  const role = name === 'user' ? 'user' : 'reply'
  yield `<article id="${anchor}" class="${role}">\n<h3>${escapeHtml(speakerOf(name))} <small>${escapeHtml(facts.join(' · '))}</small>${ended}${pinned}</h3>\n`
  for (const part of parts) {
    const image =
      part.kind === 'file' && part.fileId && part.mediaType.startsWith('image/')
        ? await picture(part.fileId)
        : undefined
    yield image && part.kind === 'file'
      ? `<p><img src="${image}" alt="${escapeHtml(part.name)}"></p>\n`
      : partHtml(part, name === 'assistant')
  }
  yield '</article>\n'
}

function partHtml(part: ReadablePart, isReply: boolean): string {
  switch (part.kind) {
    case 'text':
      return isReply
        ? `<div class="said" dir="auto">${markedUp(part.text)}</div>\n`
        : `<div class="said" dir="auto">${escapeHtml(part.text)}</div>\n`
    case 'thoughts':
      return `<details><summary>Thoughts</summary><div class="plain" dir="auto">${escapeHtml(part.text)}</div></details>\n`
    case 'tool': {
      const answer =
        part.error !== undefined
          ? `<p class="failed">It failed</p><pre>${escapeHtml(part.error)}</pre>`
          : part.output === undefined
            ? '<p>No answer</p>'
            : `<p>Answer</p><pre>${escapeHtml(valueText(part.output))}</pre>`
      return `<details><summary>Tool: ${escapeHtml(part.name)}</summary><pre>${escapeHtml(valueText(part.input))}</pre>${answer}</details>\n`
    }
    case 'file':
      return `<p><span class="file">${escapeHtml(part.name)}</span></p>\n`
    case 'source': {
      const words = escapeHtml(part.title || part.url)
      const link = /^https?:\/\//i.test(part.url) ? `<a href="${escapeHtml(part.url)}">${words}</a>` : words
      return `<p><span class="file">${link}</span></p>\n`
    }
  }
}

/** A reply's Markdown. Its HTML is shown as text, a picture from elsewhere is a link, and links run nothing. */
function markedUp(text: string): string {
  // it would keep the server busy, and is shown as it was written
  if (isCostly(text)) return `<div class="plain">${escapeHtml(text)}</div>`
  return micromark(text.toWellFormed().replaceAll('\0', '\ufffd'), {
    extensions: [...dialect(), { disable: { null: ['labelStartImage'] } }],
    htmlExtensions: [gfmHtml(), htmlAsText],
  })
}

/** A stored picture as a data URL; undefined for a missing or large picture. */
async function pictureOf(
  files: Ports['files'],
  ownerId: UserId,
  id: string,
  shown: { left: number },
): Promise<string | undefined> {
  const [file] = await files.of(ownerId, [id])
  if (!file?.mediaType.startsWith('image/') || file.size > PICTURE || file.size > shown.left) return undefined
  shown.left -= file.size
  const pieces: Uint8Array[] = []
  for await (const piece of files.pieces(file)) pieces.push(piece)
  return `data:${file.mediaType};base64,${Buffer.concat(pieces).toString('base64')}`
}
