import { once } from 'node:events'
import { createWriteStream, existsSync, statSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type ExportFormat, type ExportPart, exportFormats, exportParts } from '@/lib/protocol/chat-file'
import { defineCommand } from '../command'
import { plain } from '../draw/plain'
import { CommandError, UsageError } from '../errors'
import type { Terminal } from '../terminal'

export const exportCommand = defineCommand({
  name: 'export',
  summary: 'writes the chat, or one of its branches, as a file',
  usage: [`[--format ${exportFormats.join('|')}] [--without ${exportParts.join(',')}] [-o FILE] [BRANCH]`],
  details:
    'json holds the whole chat, and `ramify import` restores it. markdown, docx and html are for reading; markdown-zip has the pictures beside the text. jsonl is for fine-tuning, preferences for learning which of two replies was kept. Without -o it is written to standard output.',
  options: {
    format: {
      type: 'string',
      short: 'f',
      value: 'FORMAT',
      help: `${exportFormats.join(', ')}; json unless given`,
    },
    without: {
      type: 'string',
      value: 'PARTS',
      help: `leaves out ${exportParts.join(', ')}, or several with commas between them; not for json`,
    },
    output: {
      type: 'string',
      short: 'o',
      value: 'FILE',
      help: 'the file, or a folder that it gets its name in',
    },
    force: { type: 'boolean', help: 'replace a file that exists' },
  },
  args: { least: 0, most: 1 },
  examples: ['ramify export -f markdown', 'ramify export -f html -o trip.html main'],
  async run({ values, args: [branch], terminal, open, fileAt }) {
    const format = formatOf(values.format)
    if (format === 'json' && branch !== undefined) {
      throw new UsageError('json holds the whole chat: leave the branch out, or choose another format.')
    }
    const without = partsOf(values.without)
    if (format === 'json' && without.length > 0) {
      throw new UsageError('json holds the whole chat: leave nothing out, or choose another format.')
    }
    if (terminal.json && values.output === undefined)
      throw new UsageError('--json says where the file is: name one with -o.')
    const session = await open()
    const chat = await session.openChat()
    const { name, content } = await session.port.exportChat(chat.id, {
      format,
      without,
      ...(branch !== undefined && { branch: chat.branch(branch).id }),
    })
    if (values.output === undefined) return writeOut(terminal, content)
    const named = fileAt(values.output)
    const file = existsSync(named) && statSync(named).isDirectory() ? path.join(named, name) : named
    if (existsSync(file) && !values.force)
      throw new CommandError(`${plain(file)} exists: choose another name, or --force.`)
    const part = `${file}.part`
    try {
      await pipeline(Readable.from(content), createWriteStream(part, { flags: 'w' }))
      await rename(part, file)
    } catch (error) {
      await rm(part, { force: true })
      if (error instanceof Error && 'code' in error)
        throw new CommandError(`${plain(file)} cannot be written: ${error.message}.`)
      throw error
    }
    const { size } = statSync(file)
    terminal.result({ file, format, bytes: size }, () =>
      terminal.line(`Wrote ${plain(file)}, ${size.toLocaleString('en')} bytes.`),
    )
  },
})

function formatOf(text = 'json'): ExportFormat {
  const format = exportFormats.find((known) => known === text || (text === 'md' && known === 'markdown'))
  if (!format) throw new UsageError(`--format is one of ${exportFormats.join(', ')}, not “${plain(text)}”.`)
  return format
}

function partsOf(text = ''): ExportPart[] {
  return text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
    .map((name) => {
      const part = exportParts.find((known) => known === name)
      if (!part) throw new UsageError(`--without is of ${exportParts.join(', ')}, not “${plain(name)}”.`)
      return part
    })
}

/** Writes as fast as the reader takes it, and no further once it has had enough. */
async function writeOut({ world }: Terminal, content: AsyncIterable<string | Uint8Array>): Promise<void> {
  const { stdout } = world
  try {
    for await (const piece of content) {
      if (!stdout.writable) return
      if (!stdout.write(piece)) await once(stdout, 'drain')
    }
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EPIPE')) throw error
  }
}
