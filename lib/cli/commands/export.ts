import { once } from 'node:events'
import { createWriteStream, existsSync, statSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { sessionSteps } from '@/lib/conversations/exports/sessions/session-steps'
import { newId } from '@/lib/events'
import { type ExportFormat, type ExportPart, exportFormats, exportParts } from '@/lib/protocol/chat-file'
import { type Call, defineCommand } from '../command'
import { plain } from '../draw/plain'
import { CommandError, UsageError } from '../errors'
import { type SessionClient, sessionClients } from '../run/session-files'
import type { Terminal } from '../terminal'

export const exportCommand = defineCommand({
  name: 'export',
  summary: 'writes the chat, or one of its branches, as a file',
  usage: [
    `[--format ${exportFormats.join('|')}] [--without ${exportParts.join(',')}] [-o FILE] [BRANCH]`,
    '--format claude-code|codex|pi [--resume | -o FILE] [REF]',
  ],
  details:
    'json holds the whole chat, and `ramify import` restores it. markdown, docx and html are for reading; markdown-zip has the pictures beside the text. jsonl is for fine-tuning, preferences for learning which of two replies was kept. claude-code, codex and pi are sessions of these agents, down to a message: with --resume the agent finds it in this folder, and goes on from there. Thoughts and files stay behind. Without -o it is written to standard output.',
  options: {
    format: {
      type: 'string',
      short: 'f',
      value: 'FORMAT',
      help: `${[...exportFormats, ...Object.keys(sessionClients)].join(', ')}; json unless given`,
    },
    resume: { type: 'boolean', help: 'put the session where the agent looks for it, and say how to go on' },
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
  examples: [
    'ramify export -f markdown',
    'ramify export -f html -o trip.html main',
    'ramify export -f claude-code --resume HEAD~2',
  ],
  async run({ values, args: [branch], terminal, open, fileAt }) {
    const client = sessionClients[values.format ?? '']
    if (client) return exportSession({ values, terminal, open, fileAt }, client, branch)
    if (values.resume) throw new UsageError('--resume is for a session: --format claude-code, codex or pi.')
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
    const written = await writeFile(fileAt(values.output), { name, content, force: values.force === true })
    terminal.result({ ...written, format }, () => tellWritten(terminal, written))
  },
})

type ExportCall = Pick<Call, 'terminal' | 'open' | 'fileAt'> & {
  values: { output?: string; resume?: boolean; force?: boolean }
}

/** Writes the chain down to a message as a session of an agent. */
async function exportSession(
  { values, terminal, open, fileAt }: ExportCall,
  client: SessionClient,
  ref = 'HEAD',
): Promise<void> {
  if (values.resume && values.output !== undefined)
    throw new UsageError('--resume says where the session is written: leave -o out.')
  const { env, callerEnv = env, cwd } = terminal.world
  const session = await open()
  const chat = await session.openChat()
  const node = chat.message(ref)
  const messages = (await session.readBranch(chat, chat.branchHolding(node), 0)).slice(0, node.depth + 1)
  const now = Date.now()
  const facts = { id: newId(), cwd, now, newId }
  const steps = sessionSteps(messages, now)
  const content = [
    client
      .lines(steps, facts)
      .map((line) => `${JSON.stringify(line)}\n`)
      .join(''),
  ]
  const target = client.fileOf(callerEnv, facts)
  const name = path.basename(target)
  if (!values.resume && values.output === undefined) return writeOut(terminal, Readable.from(content))
  if (values.resume) await mkdir(path.dirname(target), { recursive: true })
  const file = values.output === undefined ? target : fileAt(values.output)
  const written = await writeFile(file, { name, content, force: values.force === true })
  const resume = client.resume(facts.id)
  terminal.result({ ...written, session_id: facts.id, ...(values.resume && { resume }) }, () => {
    tellWritten(terminal, written)
    if (values.resume) terminal.line(`Go on in this folder: ${resume}`)
  })
}

const tellWritten = (terminal: Terminal, { file, bytes }: { file: string; bytes: number }) =>
  terminal.line(`Wrote ${plain(file)}, ${bytes.toLocaleString('en')} bytes.`)

/** Writes a file whole, or not at all; in a folder under its own name. */
async function writeFile(
  named: string,
  {
    name,
    content,
    force,
  }: { name: string; content: AsyncIterable<string | Uint8Array> | Iterable<string>; force: boolean },
): Promise<{ file: string; bytes: number }> {
  const file = existsSync(named) && statSync(named).isDirectory() ? path.join(named, name) : named
  if (existsSync(file) && !force)
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
  return { file, bytes: statSync(file).size }
}

function formatOf(text = 'json'): ExportFormat {
  const format = exportFormats.find((known) => known === text || (text === 'md' && known === 'markdown'))
  if (!format)
    throw new UsageError(
      `--format is one of ${[...exportFormats, ...Object.keys(sessionClients)].join(', ')}, not “${plain(text)}”.`,
    )
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
