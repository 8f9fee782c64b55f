'use client'

import { Check, Wrench, X } from 'lucide-react'
import type { Block } from '@/components/session/blocks'
import { Button } from '@/components/ui/button'
import { useAnswering } from '../tool-answering'
import { durationWords } from './duration-words'
import { FlatLine, Fold } from './fold'
import { RawValue } from './raw-value'

type ToolBlock = Extract<Block, { kind: 'tool' }>
type ToolState = ToolBlock['part']['state']

const toolStates: Readonly<Record<ToolState, { words: string; tone?: 'bad' | 'waits' }>> = {
  'input-streaming': { words: 'Running' },
  'input-available': { words: 'Running' },
  'approval-requested': { words: 'Waits for approval', tone: 'waits' },
  'approval-responded': { words: 'Running' },
  'output-available': { words: 'Done' },
  'output-error': { words: 'Failed', tone: 'bad' },
  'output-denied': { words: 'Not allowed', tone: 'waits' },
}

/** A tool that had not answered when its reply ended never will. */
function stateOf(state: ToolState, live: boolean): (typeof toolStates)[ToolState] {
  const known = toolStates[state] ?? { words: state }
  return known.words === 'Running' && !live ? { words: 'No answer', tone: 'bad' } : known
}

interface ToolCallProps extends ToolBlock {
  /** names the block on the page */
  id: string
  /** more of the message is on its way */
  live: boolean
  /** an answer that stands below the message which called */
  answers?: boolean
}

/** A call of a tool: its name and how it went; opened, its arguments and its answer. One that waits asks for an answer. */
export function ToolCall({ id, live, answers, part, name, ms }: ToolCallProps) {
  const answering = useAnswering()
  const approvalId = part.state === 'approval-requested' ? part.approval.id : undefined
  const said = approvalId === undefined ? undefined : answering?.answers.get(approvalId)
  const asks = approvalId !== undefined && answering?.answer !== undefined
  const answered = approvalId !== undefined && answering && !asks
  const { words, tone } = answered ? answerOf(said) : stateOf(part.state, live)
  const note =
    ms === undefined || approvalId !== undefined
      ? words
      : part.state === 'output-available'
        ? durationWords(ms)
        : `${words}, ${durationWords(ms)}`
  const input = part.state === 'input-streaming' ? (part.rawInput ?? part.input) : part.input
  const verb = approvalId === undefined ? 'Used' : 'Asks to use'
  const label = answers ? (
    <Used name={name} verb="Answer of" />
  ) : (
    (summaryOf(name, part) ?? <Used name={name} verb={part.title ?? verb} />)
  )
  const line = { Icon: Wrench, label, note, ...(tone && { tone }) }
  if (asks) {
    return (
      <div className="min-w-0">
        <FlatLine {...line} />
        <Ask
          name={name}
          input={input}
          said={said}
          busy={answering.busy}
          onAnswer={(approved) => answering.answer?.(approvalId, approved)}
        />
      </div>
    )
  }
  return (
    <Fold id={id} {...line}>
      {() => (
        <div className="flex flex-col gap-2">
          {input !== undefined && !answers && <RawValue title="Arguments" value={input} />}
          {part.state === 'output-available' && <RawValue title="Result" value={part.output} />}
          {part.state === 'output-error' && <RawValue title="Why it failed" value={part.errorText} />}
          {part.state === 'output-denied' && part.approval.reason && (
            <RawValue title="Why not" value={part.approval.reason} />
          )}
        </div>
      )}
    </Fold>
  )
}

const Used = ({ name, verb }: { name: string; verb: string }) => (
  <>
    {verb} <code className="font-mono text-xs">{name}</code>
  </>
)

/** A call that waited, as it was answered. */
function answerOf(said: boolean | undefined): (typeof toolStates)[ToolState] {
  if (said === undefined) return { words: 'Not answered', tone: 'waits' }
  return said ? { words: 'Allowed' } : { words: 'Not allowed', tone: 'waits' }
}

interface AskProps {
  name: string
  input: unknown
  said: boolean | undefined
  busy: boolean
  onAnswer(approved: boolean): void
}

/** The question whether a tool may run, with what it is called with. */
function Ask({ name, input, said, busy, onAnswer }: AskProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would draw a frame of its own
    <div
      role="group"
      aria-label={`May ${name} run?`}
      className="mt-1.5 flex flex-col gap-2 rounded-lg border border-line bg-surface p-2.5"
    >
      <p role="status" className="text-sm">
        <code className="font-mono text-xs">{name}</code> waits for you. The reply goes on when you have
        answered.
      </p>
      <RawValue title="It is called with" value={input} />
      <div className="flex gap-2">
        <Button
          look={said === true ? 'primary' : 'outline'}
          className="touch:h-11"
          aria-label={`Allow ${name}`}
          aria-pressed={said === true}
          disabled={busy}
          onClick={() => onAnswer(true)}
        >
          <Check size={14} aria-hidden /> Allow
        </Button>
        <Button
          className="touch:h-11"
          aria-label={`Deny ${name}`}
          aria-pressed={said === false}
          disabled={busy}
          onClick={() => onAnswer(false)}
        >
          <X size={14} aria-hidden /> Deny
        </Button>
      </div>
    </div>
  )
}

/** What a tool of Ramify's own has done, in words; null for other tools, and for one that is not done. */
function summaryOf(name: string, part: ToolBlock['part']): string | null {
  if (part.state !== 'output-available' || part.type === 'dynamic-tool') return null
  const output = part.output as { remembered?: { key?: unknown; text?: unknown }; forgotten?: unknown } | null
  if (name === 'remember' && output?.remembered)
    return `Remembered: ${String(output.remembered.key)} — ${String(output.remembered.text)}`
  if (name === 'forget' && output?.forgotten !== undefined) return `Forgot: ${String(output.forgotten)}`
  return null
}
