'use client'

import { useState } from 'react'
import { LoadFailed } from '@/components/app/notice'
import { chatUrl, useLoaded } from '@/components/session/read-chat'
import { Dialog, type OpenProps } from '@/components/ui/dialog'
import type { ChatId } from '@/lib/events'
import type { MemberList } from '@/lib/protocol'
import { InviteForm } from './invite-form'
import { InvitationRow, MemberRow } from './person-row'

interface PeopleDialogProps extends OpenProps {
  chatId: ChatId
}

/** Who is in a chat, and for its owner the ways to let people in and out. */
export default function PeopleDialog({ chatId, ...props }: PeopleDialogProps) {
  const [list, setList] = useState<MemberList | null>(null)
  const [version, setVersion] = useState(0)
  const url = chatUrl('chats', chatId, 'members')
  const { problem, again } = useLoaded<MemberList>(url, setList, version)
  const changed = () => setVersion((version) => version + 1)
  const isOwner = list?.owner.is_you === true
  return (
    <Dialog
      {...props}
      title="People"
      description="Who can read this chat, besides the readers of its links."
      className="top-[6dvh] max-h-[88dvh] w-[min(36rem,calc(100vw-2rem))]"
    >
      <div className="flex min-h-0 flex-col gap-5 overflow-y-auto px-5 pt-4 pb-5">
        {problem && <LoadFailed problem={problem} onAgain={again} />}
        {isOwner && <InviteForm url={url} onMade={changed} />}
        {list && (
          <ul aria-label="People of this chat" className="flex flex-col">
            <li className="flex items-center justify-between gap-4 border-line border-b py-3 text-sm last:border-b-0">
              <span className="min-w-0 truncate">
                <bdi className="font-medium">{list.owner.name}</bdi>
                {isOwner && ' (you)'}
              </span>
              <span className="text-muted">Owner</span>
            </li>
            {list.members.map((member) => (
              <MemberRow
                key={member.id}
                url={`${url}/${encodeURIComponent(member.id)}`}
                member={member}
                canChange={isOwner}
                onChanged={changed}
              />
            ))}
            {list.invitations.map((invitation) => (
              <InvitationRow
                key={invitation.id}
                url={`${url}/${encodeURIComponent(invitation.id)}`}
                invitation={invitation}
                onChanged={changed}
              />
            ))}
          </ul>
        )}
      </div>
    </Dialog>
  )
}
