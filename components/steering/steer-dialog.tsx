'use client'

import { useId, useState } from 'react'
import { plainPreview } from '@/components/app/plain-preview'
import { timeWords } from '@/components/app/time-words'
import type { Steer } from '@/components/session/use-moves'
import { Button } from '@/components/ui/button'
import { Dialog, type OpenProps } from '@/components/ui/dialog'
import { Select } from '@/components/ui/select'
import type { BranchId, MessageId } from '@/lib/events'
import { agentName, agentsFor, branchTitle, type GraphIndex } from '@/lib/graph'

interface SteerDialogProps extends OpenProps {
  index: GraphIndex
  /** the branch being read */
  branchId: BranchId
  messageId: MessageId
  /** answers whether it was done */
  onSteer(asked: Steer): Promise<boolean>
}

/** Dialog that steers an agent to a message: the agent, and the words that it reads there first. */
export default function SteerDialog({ index, branchId, messageId, onSteer, ...props }: SteerDialogProps) {
  const agents = agentsFor(index, messageId, branchId)
  const [agentId, setAgentId] = useState(agents[0]?.branchId ?? '')
  const [text, setText] = useState('')
  const [busy, setBusy] = useState(false)
  const [id, helpId] = [useId(), useId()]
  const agent = agents.find((each) => each.branchId === agentId)
  const message = index.byId(messageId)
  const needsWords = agent?.messageId === messageId && text.trim() === ''

  const steer = async () => {
    setBusy(true)
    const done = await onSteer({ agentId, messageId, ...(text.trim() !== '' && { text }) })
    setBusy(false)
    if (done) props.onOpenChange(false)
  }
  return (
    <Dialog
      {...props}
      title="Steer the agent here"
      description="Its next call goes on from this message. The model is told in words that you moved the conversation, and what came after stays where it is."
    >
      <form
        className="flex min-h-0 flex-col gap-4 overflow-y-auto px-5 pt-4 pb-5"
        onSubmit={(event) => {
          event.preventDefault()
          void steer()
        }}
      >
        <p className="line-clamp-3 border-line-strong border-l-2 pl-3 text-muted text-sm" dir="auto">
          {plainPreview(message?.preview ?? '') || 'A call of a tool, or its answer'}
        </p>
        {agents.length > 1 ? (
          <div className="flex flex-col gap-1 text-muted text-xs">
            Agent
            <Select
              label="Agent"
              value={agentId}
              options={agents.map((each) => ({
                value: each.branchId,
                label: `${agentName(each)} on ${branchTitle(index, each.branchId)}, last call ${timeWords(each.calledAt, new Date())}`,
              }))}
              onChange={setAgentId}
              className="h-9 touch:h-11"
            />
          </div>
        ) : (
          agent && (
            <p className="text-sm">
              <bdi className="font-medium">{agentName(agent)}</bdi>{' '}
              <span className="text-muted">
                on <bdi>{branchTitle(index, agent.branchId)}</bdi>
              </span>
            </p>
          )
        )}
        <div className="flex flex-col gap-1">
          <label htmlFor={id} className="text-muted text-xs">
            Tell it something first, if you like
          </label>
          <textarea
            id={id}
            ref={takeFocus}
            dir="auto"
            rows={4}
            value={text}
            maxLength={100_000}
            aria-describedby={helpId}
            onChange={(event) => setText(event.target.value)}
            onKeyDown={(event) => {
              if (event.nativeEvent.isComposing) return
              if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !needsWords && !busy)
                void steer()
            }}
            className="resize-y rounded-md border border-line bg-canvas px-3 py-2 text-sm leading-6 outline-none focus:border-accent"
          />
          <p id={helpId} className="text-faint text-xs">
            {needsWords
              ? 'The agent stands here already: say what it should do next.'
              : 'It becomes your message below this one. No model answers it before the agent calls.'}
          </p>
        </div>
        <div className="flex items-center justify-end gap-2">
          <p className="mr-auto text-faint text-xs max-sm:hidden">
            Undo takes it back until the agent calls.
          </p>
          <Button type="button" onClick={() => props.onOpenChange(false)}>
            Cancel
          </Button>
          <Button look="primary" type="submit" disabled={busy || needsWords || !agent}>
            Steer the agent
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

const takeFocus = (box: HTMLTextAreaElement | null) => box?.focus()
