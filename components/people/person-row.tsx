'use client'

import { useRouter } from 'next/navigation'
import { useEffect, useRef, useState } from 'react'
import { useApp } from '@/components/app/app-context'
import { newChatPath } from '@/components/app/paths'
import { problemOf } from '@/components/app/problem'
import { Button } from '@/components/ui/button'
import { Segmented } from '@/components/ui/segmented'
import { memberRoles } from '@/lib/events/member-role'
import type { Member, OpenInvitation } from '@/lib/protocol'
import { Refusal } from './refusal'
import { roleWords } from './role-words'

interface RowProps {
  /** the address of the member or the invitation */
  url: string
  onChanged(): void
}

const options = memberRoles.map((value) => ({ value, label: roleWords[value].label }))
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' })

/** A person who is in the chat. The owner changes the role or removes them; the person may leave. */
export function MemberRow({
  url,
  member,
  canChange,
  onChanged,
}: RowProps & { member: Member; canChange: boolean }) {
  const router = useRouter()
  const { busy, problem, ask } = useAsking(url)
  const { name, role, is_you: isYou } = member
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 border-line border-b py-3 text-sm last:border-b-0">
      <span className="min-w-0 flex-1 basis-32 truncate">
        <bdi className="font-medium">{name}</bdi>
        {isYou && ' (you)'}
      </span>
      {canChange ? (
        <Segmented
          label={`Role of ${name}`}
          value={role}
          options={options}
          onChange={async (next) => {
            if (await ask('PATCH', { role: next })) onChanged()
          }}
        />
      ) : (
        <span className="text-muted">{roleWords[role].label}</span>
      )}
      {(canChange || isYou) && (
        <EndButton
          label={isYou ? 'Leave' : 'Remove'}
          of={isYou ? 'this chat' : name}
          words={
            isYou
              ? 'You can come back only when you are invited again.'
              : 'They cannot read it any more. Their copies stay.'
          }
          busy={busy}
          onEnd={async () => {
            if (!(await ask('DELETE'))) return
            if (!isYou) return onChanged()
            router.push(newChatPath)
            router.refresh()
          }}
        />
      )}
      <Refusal words={problem} className="w-full" />
    </li>
  )
}

/** An invitation that is still open. */
export function InvitationRow({ url, invitation, onChanged }: RowProps & { invitation: OpenInvitation }) {
  const { busy, problem, ask } = useAsking(url)
  const { role, email, expires_at: until } = invitation
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 border-line border-b py-3 text-sm last:border-b-0">
      <span className="min-w-0 flex-1 basis-32">
        {email === null ? 'A link, not taken yet' : <bdi className="[overflow-wrap:anywhere]">{email}</bdi>}
        <span className="block text-muted text-xs">
          {roleWords[role].label} · until {day.format(new Date(until))}
        </span>
      </span>
      <EndButton
        label="Take back"
        of={email === null ? 'the link' : `the link for ${email}`}
        words="It invites to nothing from then on."
        busy={busy}
        onEnd={async () => {
          if (await ask('DELETE')) onChanged()
        }}
      />
      <Refusal words={problem} className="w-full" />
    </li>
  )
}

interface EndButtonProps {
  label: string
  /** the thing that it ends, in the words of a screen reader */
  of: string
  words: string
  busy: boolean
  onEnd(): void
}

/** A button that asks once more in its place. */
function EndButton({ label, of, words, busy, onEnd }: EndButtonProps) {
  const [asking, setAsking] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  const closed = useRef(false)
  // the question had the focus until it went
  useEffect(() => {
    if (closed.current && !asking) opener.current?.focus()
    closed.current = !asking && closed.current
  }, [asking])
  const cancel = () => {
    closed.current = true
    setAsking(false)
  }
  if (!asking) {
    return (
      <Button
        ref={opener}
        size="sm"
        className="touch:h-11"
        aria-label={`${label} ${of}`}
        onClick={() => setAsking(true)}
      >
        {label}
      </Button>
    )
  }
  return (
    <fieldset
      aria-label={`${label} ${of}`}
      className="flex w-full flex-wrap items-center justify-between gap-2 rounded-md bg-surface p-2"
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        cancel()
      }}
    >
      <p>{words}</p>
      <span className="flex gap-2">
        <Button size="sm" className="touch:h-11" disabled={busy} onClick={cancel}>
          Cancel
        </Button>
        <Button size="sm" className="touch:h-11" look="danger" autoFocus disabled={busy} onClick={onEnd}>
          {label}
        </Button>
      </span>
    </fieldset>
  )
}

/** Changes at an address, one at a time; answers whether it could. */
function useAsking(url: string) {
  const { api } = useApp()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  return {
    busy,
    problem,
    async ask(method: 'PATCH' | 'DELETE', body?: object): Promise<boolean> {
      setBusy(true)
      setProblem(null)
      try {
        await api.fetch(url, {
          method,
          ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
        })
        return true
      } catch (error) {
        setProblem(problemOf(error).detail)
        return false
      } finally {
        setBusy(false)
      }
    },
  }
}
