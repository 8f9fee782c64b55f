'use client'

import { ArrowUp } from 'lucide-react'
import { useRef } from 'react'
import { NoticeBar } from '@/components/app/notice'
import { isSendable, whyNot } from '@/components/thread/message-limits'
import { useAutoHeight } from '@/components/thread/use-auto-height'
import type { ChatId } from '@/lib/events'
import type { ComparedSide, Problem } from '@/lib/protocol'
import { Button } from '../ui/button'
import { useContinue } from './use-continue'

interface ContinueBoxProps {
  chatId: ChatId
  side: ComparedSide
}

/** Goes on with one of the two branches: what is sent here is said there, and the reader follows. */
export function ContinueBox({ chatId, side }: ContinueBoxProps) {
  const area = useRef<HTMLTextAreaElement>(null)
  const { draft, setDraft, send, busy, problem, ...turn } = useContinue(chatId, side)
  useAutoHeight(area, draft, 6)
  const complaint = whyNot(draft)
  const ready = isSendable(draft) && !busy

  const choices = ({ code }: Problem) => {
    if (code === 'head_moved') return [{ label: 'Show the new messages', run: turn.refresh }]
    if (code === 'reply_in_progress') return [{ label: `Open ${side.branch.name}`, run: turn.open }]
    return [{ label: 'Send again', run: () => void send() }]
  }

  return (
    <div className="min-w-0 flex-1 px-3 pt-2 pb-3 md:px-5">
      {problem && <NoticeBar notice={{ problem, choices: choices(problem) }} onClose={turn.dismiss} />}
      <form
        className="flex items-end gap-1 rounded-xl border border-line bg-raised pr-1.5 transition-colors focus-within:border-line-strong"
        onSubmit={(event) => {
          event.preventDefault()
          if (ready) void send()
        }}
      >
        <textarea
          ref={area}
          rows={1}
          dir="auto"
          aria-label={`Continue on ${side.branch.name}`}
          placeholder={`Continue on ${side.branch.name}`}
          value={draft}
          // what is disabled loses the focus, and does not get it back when it is refused
          readOnly={busy}
          onChange={(event) => setDraft(event.target.value)}
          onKeyDown={(event) => {
            // 229: Safari's last key of a composition comes after its end
            const composing = event.nativeEvent.isComposing || event.keyCode === 229
            if (event.key !== 'Enter' || event.shiftKey || composing) return
            event.preventDefault()
            if (ready) void send()
          }}
          className="block min-h-11 w-full min-w-0 resize-none bg-transparent py-2.5 pl-4 text-lg outline-none read-only:opacity-60"
        />
        <Button
          size="icon"
          look="primary"
          type="submit"
          aria-label={`Send on ${side.branch.name}`}
          disabled={!ready}
          className="mb-1.5"
        >
          <ArrowUp size={17} aria-hidden />
        </Button>
      </form>
      {complaint && (
        <p role="alert" className="px-4 pt-1 text-danger text-sm">
          {complaint}
        </p>
      )}
    </div>
  )
}
