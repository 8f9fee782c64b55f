'use client'

import { useChatTools } from '@/components/session/chat-context'
import { Hint } from '@/components/ui/hint'
import { type MessageId, partOf, type Seam, seamsIn } from '@/lib/events'
import type { ChatMessage } from '@/lib/protocol'

/** Words that name a place in a reply. */
const WORDS = 6

/** The places at which a reply goes on with a cut one, named by the words before them. */
export default function Seams({ message }: { message: Pick<ChatMessage, 'parts' | 'metadata'> }) {
  const seams = seamsIn(message).filter((seam, at, all) => {
    const next = all[at + 1]
    // a reply that broke off at once has nothing between its seam and the next
    const isLast = next?.part !== seam.part || next.at !== seam.at
    return isLast && isFollowed(message, seam)
  })
  if (seams.length === 0) return null
  return (
    <ul className="flex flex-col pt-2 text-faint text-xs">
      {seams.map((seam) => {
        const words = wordsBefore(message, seam)
        return (
          <li key={`${seam.part} ${seam.at}`} className="flex min-h-6 min-w-0 items-center gap-1">
            <span className="shrink-0">Continued {words === '' ? 'after a tool' : 'after'}</span>
            {words !== '' && <Place words={words} cutId={seam.messageId} />}
          </li>
        )
      })}
    </ul>
  )
}

function Place({ words, cutId }: { words: string; cutId: MessageId | undefined }) {
  const { branchOf, openMessage } = useChatTools()
  const quote = <bdi className="truncate">“{words}”</bdi>
  if (cutId === undefined || branchOf(cutId) === null) return quote
  return (
    <Hint text="Show the reply as it was cut">
      <button
        type="button"
        className="min-w-0 truncate rounded-sm underline decoration-line underline-offset-2 hover:text-ink touch:min-h-11"
        onClick={() => openMessage(cutId)}
      >
        {quote}
      </button>
    </Hint>
  )
}

/** Tells whether anything stands behind a seam. */
function isFollowed({ parts }: Pick<ChatMessage, 'parts'>, seam: Seam): boolean {
  const at = partOf(seam, parts)
  const part = parts[at]
  return at < parts.length - 1 || (part?.type === 'text' ? part.text.length > seam.at : part !== undefined)
}

function wordsBefore({ parts }: Pick<ChatMessage, 'parts'>, seam: Seam): string {
  const cut = parts[partOf(seam, parts)]
  if (seam.at === 0 || cut?.type !== 'text') return ''
  const words = cut.text.slice(0, seam.at).split(/\s+/).slice(-WORDS).join(' ')
  return words.slice(-80)
}
