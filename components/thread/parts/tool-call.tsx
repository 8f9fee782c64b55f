'use client'

import { Check, CheckCheck, Hand, Wrench, X } from 'lucide-react'
import type { Block } from '@/components/session/blocks'
import { Button } from '@/components/ui/button'
import { editsOf, type FileEdit } from '@/lib/events/tool-edits'
import { asksPerson, stepOf, type ToolStep } from '@/lib/events/tool-step'
import { type Said, useAnswering } from '../tool-answering'
import { durationWords } from './duration-words'
import { FileDiff } from './file-diff'
import { Fold } from './fold'
import { RawValue } from './raw-value'

type ToolBlock = Extract<Block, { kind: 'tool' }>

interface ToolCallProps extends ToolBlock {
  /** names the block on the page */
  id: string
  /** more of the message is on its way */
  live: boolean
}

const noStep: ToolStep = { tool: 'tool', argument: '', state: 'open', ending: '' }

/** A call of a tool: a line that opens to its input and its result. A call that waits asks for an answer. */
export function ToolCall({ id, live, part, name, ms }: ToolCallProps) {
  const answering = useAnswering()
  const step = stepOf(part) ?? noStep
  const input = part.state === 'input-streaming' ? (part.rawInput ?? part.input) : part.input
  const approvalId = part.state === 'approval-requested' ? part.approval.id : undefined
  const said = approvalId === undefined ? undefined : answering?.answers.get(approvalId)
  const answer = answering?.answer
  if (approvalId !== undefined && answering && answer) {
    const { busy } = answering
    return (
      <Ask
        name={name}
        step={step}
        input={input}
        said={said}
        busy={busy}
        onAnswer={(answered) => answer({ approvalId, name, said: answered })}
      />
    )
  }
  const isAnswered = approvalId !== undefined && answering !== null
  const { words, tone } = isAnswered ? answerOf(said) : endingOf(step, live)
  const isRunning = tone === undefined && live && step.state === 'open'
  return (
    <Fold
      id={id}
      plain
      Icon={icons[tone ?? 'calm']}
      tone={tone ?? 'calm'}
      label={summaryOf(name, part) ?? <StepLabel step={step} isRunning={isRunning} />}
      note={[words, ms !== undefined && approvalId === undefined && durationWords(ms)]
        .filter(Boolean)
        .join(', ')}
    >
      {() => (
        <div className="flex flex-col gap-2">
          {name !== step.tool && <p className="font-mono text-faint text-xs">{name}</p>}
          {input !== undefined && <Told title="Arguments" value={input} edits={editsOf(input)} />}
          {part.state === 'output-available' && (
            <Told title="Result" value={part.output} edits={diffsIn(part.output)} />
          )}
          {part.state === 'output-error' && <RawValue title="Why it failed" value={part.errorText} />}
          {part.state === 'output-denied' && part.approval.reason && (
            <RawValue title="Why not" value={part.approval.reason} />
          )}
        </div>
      )}
    </Fold>
  )
}

interface ToldProps {
  title: string
  value: unknown
  edits: readonly FileEdit[]
}

/** Shows the arguments of a call, or its result: as diffs where files change by it, with the value itself a click away. */
function Told({ title, value, edits }: ToldProps) {
  if (edits.length === 0) return <RawValue title={title} value={value} />
  return (
    <>
      {edits.slice(0, MOST_FILES).map((edit, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a file of a call is its place
        <FileDiff key={at} {...edit} />
      ))}
      <details className="text-faint text-xs">
        <summary className="min-h-6 w-fit cursor-pointer rounded-md touch:min-h-11">
          {edits.length > MOST_FILES
            ? `${title}, with ${edits.length - MOST_FILES} more files`
            : `${title} as sent`}
        </summary>
        <RawValue title={title} value={value} />
      </details>
    </>
  )
}

/** Files of one call that are shown as diffs. */
const MOST_FILES = 20

/** A command may print a patch; any other result is no change. */
const diffsIn = (output: unknown): FileEdit[] => (typeof output === 'string' ? editsOf(output) : [])

const icons = { calm: Wrench, bad: X, waits: Hand }

interface Ending {
  words: string
  tone?: 'bad' | 'waits'
}

/** A tool that had not answered when its reply ended never will. */
function endingOf(step: ToolStep, live: boolean): Ending {
  const { state, ending } = step
  switch (state) {
    case 'open':
      if (!live && asksPerson(step)) return { words: 'Waits for you', tone: 'waits' }
      return live ? { words: 'Running' } : { words: 'No answer', tone: 'bad' }
    case 'waits':
      return { words: 'Waits for you', tone: 'waits' }
    case 'failed':
      return { words: ending || 'Failed', tone: 'bad' }
    case 'done':
      return { words: ending }
  }
}

function StepLabel({ step: { tool, argument }, isRunning }: { step: ToolStep; isRunning: boolean }) {
  return (
    <span className={isRunning ? 'caret' : undefined}>
      <span className="text-ink">{tool}</span> <bdi className="font-mono text-xs">{argument}</bdi>
    </span>
  )
}

/** A call that waited, as it was answered. */
function answerOf(said: Said | undefined): Ending {
  if (said === undefined) return { words: 'Not answered', tone: 'waits' }
  return said === 'deny' ? { words: 'Not allowed', tone: 'bad' } : { words: 'Allowed' }
}

interface AskProps {
  name: string
  step: ToolStep
  input: unknown
  said: Said | undefined
  busy: boolean
  onAnswer(said: Said): void
}

const choices = [
  { said: 'allow', label: 'Allow', spoken: (name: string) => `Allow ${name}`, Icon: Check },
  { said: 'deny', label: 'Deny', spoken: (name: string) => `Deny ${name}`, Icon: X },
  {
    said: 'always',
    label: 'Always allow here',
    spoken: (name: string) => `Always allow here: ${name}`,
    Icon: CheckCheck,
  },
] as const

/** The question whether a tool may run, with its input. */
function Ask({ name, step, input, said, busy, onAnswer }: AskProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would draw a frame of its own
    <div
      role="group"
      aria-label={`May ${name} run?`}
      className="flex min-w-0 flex-col gap-2 rounded-lg border border-warn/60 bg-surface p-3"
    >
      <p role="status" className="flex min-w-0 items-center gap-2 text-sm">
        <Hand size={14} aria-hidden className="shrink-0 text-warn" />
        <span className="min-w-0 truncate">
          <span className="sr-only">Waits for you: </span>
          <span className="font-medium">{step.tool}</span>{' '}
          <bdi className="font-mono text-xs">{step.argument}</bdi>
        </span>
        <span aria-hidden className="ml-auto shrink-0 text-warn text-xs">
          Waits for you
        </span>
      </p>
      <Told title="Arguments" value={input} edits={editsOf(input)} />
      <div className="flex flex-wrap gap-2">
        {choices.map((choice) => (
          <Button
            key={choice.said}
            look={
              said === choice.said || (said === undefined && choice.said === 'allow') ? 'primary' : 'outline'
            }
            aria-label={choice.spoken(name)}
            aria-pressed={said === choice.said}
            disabled={busy}
            onClick={() => onAnswer(choice.said)}
          >
            <choice.Icon size={14} aria-hidden /> {choice.label}
          </Button>
        ))}
      </div>
      <p className="text-faint text-xs">
        The reply goes on when you have answered. “Always” is for this branch: {step.tool} then runs without
        asking.
      </p>
    </div>
  )
}

/** Result of one of Ramify's own tools, in words; null for other tools, and for a call that is not done. */
function summaryOf(name: string, part: ToolBlock['part']): string | null {
  if (part.state !== 'output-available' || part.type === 'dynamic-tool') return null
  const output = part.output as { remembered?: { key?: unknown; text?: unknown }; forgotten?: unknown } | null
  if (name === 'remember' && output?.remembered)
    return `Remembered: ${String(output.remembered.key)} — ${String(output.remembered.text)}`
  if (name === 'forget' && output?.forgotten !== undefined) return `Forgot: ${String(output.forgotten)}`
  return null
}
