import type { UIMessageChunk } from 'ai'
import type { GraphDelta, TurnData } from '@/lib/protocol'
import type { ChatsPort, SentTurn } from '../backs/chats-port'
import { plain } from '../draw/plain'
import type { Terminal } from '../terminal'

interface Reply {
  text: string
  /** reason for an incomplete reply; undefined for a complete one */
  failure?: string
}

/** State of a reply while it is written. */
interface Writing {
  run: TurnData['run'] | undefined
  delta: GraphDelta | undefined
  text: string
  status: 'completed' | 'stopped' | 'failed' | 'waiting'
  failure: string | undefined
}

/**
 * Sends a message and writes the reply to the terminal as it comes. Ctrl-C stops the reply.
 *
 * @param stored called once the message is stored
 */
export async function writeReply(
  port: ChatsPort,
  terminal: Terminal,
  turn: SentTurn,
  stored: () => void,
): Promise<Reply> {
  const writing: Writing = {
    run: undefined,
    delta: undefined,
    failure: undefined,
    text: '',
    status: 'completed',
  }
  const stops: Promise<void>[] = []
  const release = terminal.world.onInterrupt(() => {
    const { run } = writing
    if (!run || stops.length > 0) return
    stops.push(
      port.stopReply(turn.chatId, run.runId).catch((error: Error) => terminal.note(plain(error.message))),
    )
  })
  try {
    const { parts, ended } = await port.takeTurn(turn)
    for await (const part of parts) take(terminal, writing, part, stored)
    await Promise.all([ended, ...stops])
  } finally {
    release()
  }
  if (writing.text !== '' && !writing.text.endsWith('\n') && !terminal.json) terminal.line()
  return told(terminal, turn, writing)
}

function take(terminal: Terminal, writing: Writing, part: UIMessageChunk, stored: () => void): void {
  const say = (text: string) => {
    if (!terminal.json) terminal.note(terminal.style('dim', plain(text)))
  }
  switch (part.type) {
    case 'data-run':
      writing.run = part.data as TurnData['run']
      stored()
      if (writing.run.status === 'queued') say(waitsFor(writing.run))
      break
    case 'data-graph':
      writing.delta = part.data as GraphDelta
      break
    case 'text-start':
      // parts of a text are blocks of their own
      if (writing.text !== '') addText(terminal, writing, '\n\n')
      break
    case 'text-delta':
      addText(terminal, writing, plain(part.delta))
      break
    case 'reset-step':
      // the words so far were thoughts
      if (writing.text !== '' && !terminal.json) terminal.line()
      writing.text = ''
      break
    case 'tool-input-available':
      say(`[tool ${part.toolName}] ${JSON.stringify(part.input)}`)
      break
    case 'tool-output-error':
      say(`[failed] ${part.errorText}`)
      break
    case 'tool-approval-request':
      writing.status = 'waiting'
      writing.failure =
        'A tool waits for your permission: allow or deny it in a browser, and the reply goes on.'
      break
    case 'abort':
      writing.status = 'stopped'
      say('[stopped]')
      break
    case 'error':
      writing.status = 'failed'
      writing.failure = part.errorText
      break
  }
}

function addText(terminal: Terminal, writing: Writing, text: string): void {
  writing.text += text
  if (!terminal.json) terminal.write(text)
}

function waitsFor({ waiting }: TurnData['run']): string {
  return waiting?.for === 'person'
    ? `As many of your replies are being written as may be at once (${waiting.writing}): this one waits.`
    : 'The server writes as many replies as it can: this one waits.'
}

function told(
  terminal: Terminal,
  { chatId }: SentTurn,
  { run, delta, text, status, failure }: Writing,
): Reply {
  // the graph has the reason in words for a person
  const why = delta?.branches?.find(({ id }) => id === run?.branchId)?.failure
  const words = status === 'failed' && why ? `${why.message} ${why.advice}` : failure
  if (terminal.json) {
    terminal.result(
      {
        chat: chatId,
        branch: run && { id: run.branchId, name: run.branch },
        message: run?.userMessageId,
        reply: run?.replyId,
        status,
        text,
        ...(words !== undefined && { failure: words }),
      },
      () => undefined,
    )
  }
  return { text, ...(words !== undefined && { failure: plain(words) }) }
}
