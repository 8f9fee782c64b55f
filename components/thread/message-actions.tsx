'use client'

import { Check, ChevronDown, Ellipsis } from 'lucide-react'
import { type Offer, offerOf, offers } from '@/components/actions/action'
import { OfferMenu } from '@/components/actions/offer-menu'
import {
  againActions,
  branchFromHere,
  copyMessage,
  moreRowActions,
  moreWays,
  rowButtons,
  tryAgain,
} from '@/components/actions/on-message'
import { WordButton } from '@/components/actions/word-button'
import { useChatTools } from '@/components/session/chat-context'
import { IconButton } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import type { MessageId } from '@/lib/events'
import type { GraphNode } from '@/lib/protocol'
import { useCopy } from './copy-button'

interface MessageActionsProps {
  node: GraphNode
  text: string
  /** "Try again" stands below the message, in words */
  withoutRetry: boolean
  /** the newest reply: its actions are always there */
  shown: boolean
  onEdit(): void
}

/** Three or four acts in words, and a menu with the others. */
export function MessageActions({ node, text, withoutRetry, shown, onEdit }: MessageActionsProps) {
  const { retry, canChooseModel, ...tools } = useChatTools()
  const { copied, copy } = useCopy(text)
  const on = {
    ...tools,
    withoutRetry,
    copy,
    canChooseModel: (id: MessageId) => !withoutRetry && canChooseModel(id),
    messageId: node.id,
    role: node.role,
    edit: onEdit,
    retry: () => retry(node),
  }
  const again = offers(againActions, on, true)
  const more = [{ offers: offers(moreRowActions, on) }, { label: 'More ways', offers: offers(moreWays, on) }]
  const button = (offer: Offer) => (
    <WordButton
      key={offer.id}
      offer={offer}
      {...face}
      data-action={offer.id}
      onClick={({ currentTarget }) => offer.run(currentTarget)}
    />
  )
  return (
    <div
      className={cn(
        '-ml-2 flex h-8 shrink-0 items-center transition-opacity touch:h-11',
        'group-focus-within/message:opacity-100 group-hover/message:opacity-100 group-focus/message:opacity-100',
        // a finger shows them first, with a tap on the message
        shown
          ? 'opacity-100'
          : 'opacity-0 touch:pointer-events-none touch:group-focus-within/message:pointer-events-auto touch:group-focus/message:pointer-events-auto',
      )}
    >
      {offers(rowButtons, on, true).map((offer) =>
        button(copied && offer.id === copyMessage.id ? { ...offer, Icon: Check, hint: 'Copied' } : offer),
      )}
      {again.length > 0 && (
        <OfferMenu
          groups={[{ offers: again }]}
          trigger={
            <WordButton
              offer={offerOf(
                tryAgain,
                on,
                again.every(({ refused }) => refused),
              )}
              {...face}
              data-action={tryAgain.id}
            >
              <ChevronDown size={12} aria-hidden className="text-faint" />
            </WordButton>
          }
        />
      )}
      {offers([branchFromHere], on, true).map(button)}
      {more.some((group) => group.offers.length > 0) && (
        <OfferMenu
          groups={more}
          trigger={
            <IconButton label="More actions" Icon={Ellipsis} size="tool" tabIndex={-1} data-action="more" />
          }
        />
      )}
    </div>
  )
}

/** The arrows of the message lead to its buttons, not Tab. */
const face = { size: 'sm', tabIndex: -1, className: 'gap-1.5 px-2 text-xs touch:h-11' } as const
