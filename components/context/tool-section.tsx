import { useState } from 'react'
import { LoadFailed } from '@/components/app/notice'
import { useLoaded } from '@/components/session/read-chat'
import { Button } from '@/components/ui/button'
import { Skeleton } from '@/components/ui/skeleton'
import type { ChatContext, ToolList } from '@/lib/protocol'
import type { Edit } from './parts'
import { Section } from './section'
import { ToolChoices } from './tool-choices'
import { toolWords } from './tool-words'

interface ToolSectionProps {
  choices: ChatContext['tools']
  /** the chat comes from elsewhere, where tools ran without asking */
  lowered: boolean
  /** false for a model that cannot call tools; null where that is not known */
  callsTools: boolean | null
  onEdit(edit: Edit): void
}

/**
 * The tools of a branch. The section asks the person's servers for their tools when it opens, or when some are
 * chosen.
 */
export function ToolSection({ choices, lowered, callsTools, onEdit }: ToolSectionProps) {
  const [open, setOpen] = useState(false)
  const [offered, setOffered] = useState<ToolList | null>(null)
  const on = Object.values(choices).filter((approval) => approval !== 'never').length
  const { problem, again } = useLoaded<ToolList>(open || on > 0 ? '/api/tools' : null, setOffered)
  return (
    <Section
      title="Tools"
      note={toolWords({ choices, offered, callsTools })}
      action={
        <Button look="quiet" size="sm" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? 'Done' : 'Choose tools'}
        </Button>
      }
    >
      {lowered && (
        <p role="note" className="px-4 pb-1 text-muted text-sm">
          This chat comes from elsewhere, where tools ran without asking; here they ask you first.
        </p>
      )}
      {open && (
        <div className="px-4 py-2">
          {problem ? (
            <LoadFailed problem={problem} onAgain={again} />
          ) : offered ? (
            <ToolChoices
              offered={offered}
              choices={choices}
              callsTools={callsTools}
              onChange={(tools) => onEdit({ type: 'parts', parts: { tools } })}
            />
          ) : (
            <div role="status" aria-label="Loading the tools" className="flex flex-col gap-3">
              <Skeleton className="h-8" />
              <Skeleton className="h-8" />
            </div>
          )}
        </div>
      )}
    </Section>
  )
}
