'use client'

import { WifiOff } from 'lucide-react'
import { deferred } from '@/components/app/deferred'
import { NoticeBar } from '@/components/app/notice'
import type { useChatSession } from '@/components/session/use-chat-session'

const WaitingMessages = deferred(() => import('@/components/thread/waiting-messages'))

interface SendingNotesProps extends Pick<ReturnType<typeof useChatSession>, 'sending' | 'live'> {
  /** a reply is being written */
  busy: boolean
}

/** Above the box: the messages that wait, why one was not sent, and whether the server is out of reach. */
export function SendingNotes({ sending, live, busy }: SendingNotesProps) {
  const { next, sendNext, editNext, removeNext, notice, clearNotice } = sending
  const isOffline = live.offline && notice?.problem.code !== 'offline'
  return (
    <>
      {next.length > 0 && (
        <WaitingMessages
          next={next}
          sendNext={sendNext}
          editNext={editNext}
          removeNext={removeNext}
          busy={busy}
        />
      )}
      {notice && <NoticeBar notice={notice} onClose={clearNotice} />}
      {/* a screen reader reads it out: its place is always there */}
      <div role="status">
        {isOffline && (
          <p className="arrive mb-2 flex items-center gap-2 px-1 text-muted text-sm">
            <WifiOff size={14} aria-hidden className="shrink-0" /> Offline: what you write is kept.
          </p>
        )}
      </div>
    </>
  )
}
