'use client'

import { Link2 } from 'lucide-react'
import { useState } from 'react'
import { useApp } from '@/components/app/app-context'
import { problemOf } from '@/components/app/problem'
import { MadeLink } from '@/components/shares/made-link'
import { Button } from '@/components/ui/button'
import { Segmented } from '@/components/ui/segmented'
import { type MemberRole, memberRoles } from '@/lib/events/member-role'
import { Refusal } from './refusal'
import { roleWords } from './role-words'

const options = memberRoles.map((value) => ({ value, label: roleWords[value].label }))

/** Makes a link that lets one person in. */
export function InviteForm({ url, onMade }: { url: string; onMade(): void }) {
  const { api } = useApp()
  const [role, setRole] = useState<MemberRole>('reads')
  const [email, setEmail] = useState('')
  const [making, setMaking] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const [made, setMade] = useState<string | null>(null)
  const make = async () => {
    setMaking(true)
    setProblem(null)
    try {
      const response = await api.fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ role, ...(email.trim() !== '' && { email: email.trim() }) }),
      })
      setMade(((await response.json()) as { url: string }).url)
      setEmail('')
      onMade()
    } catch (error) {
      setProblem(problemOf(error).detail)
    }
    setMaking(false)
  }
  if (made !== null)
    return <MadeLink url={made} another="Invite another person" onAnother={() => setMade(null)} />
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        void make()
      }}
    >
      <div className="flex flex-col items-start gap-1">
        <span className="text-muted text-xs">What the person may do</span>
        <Segmented label="What the person may do" value={role} options={options} onChange={setRole} />
        <p className="text-muted text-xs">{roleWords[role].does}</p>
      </div>
      <div className="flex flex-col gap-1">
        <label htmlFor="invite-email" className="text-muted text-xs">
          E-mail of their account (optional: without it, anyone who has the link can take it)
        </label>
        <input
          id="invite-email"
          type="email"
          dir="ltr"
          value={email}
          maxLength={320}
          autoComplete="off"
          onChange={(event) => setEmail(event.target.value)}
          className="h-9 rounded-md border border-line bg-canvas px-3 text-sm outline-none focus:border-accent touch:h-11"
        />
      </div>
      <Refusal words={problem} />
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p className="min-w-0 flex-1 basis-60 text-muted text-xs">
          The link lets one person in, once, within a week. Send it yourself: no mail is sent.
        </p>
        <Button type="submit" look="primary" className="touch:h-11" disabled={making}>
          <Link2 size={15} aria-hidden />
          {making ? 'Making the link…' : 'Make the link'}
        </Button>
      </div>
    </form>
  )
}
