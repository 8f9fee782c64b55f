'use client'

import { Popover, Slot } from 'radix-ui'
import {
  type ComponentProps,
  type ReactElement,
  type KeyboardEvent as ReactKeyboardEvent,
  type ReactNode,
  useLayoutEffect,
} from 'react'
import { cn } from './cn'
import { type OpenProps, Sheet } from './dialog'
import { holdTyping, letTypingGo } from './typed-ahead'
import { useMediaQuery } from './use-media-query'

interface ListPanelProps extends OpenProps {
  label: string
  /** the button that opens it */
  trigger: ReactElement
  /** moves the focus into the list; without it the first control of the list takes it */
  onOpened?: () => void
  /** can keep Escape from closing it */
  onEscapeKeyDown?: (event: KeyboardEvent) => void
  /** its place and size beside the button, where it is no sheet */
  beside: Omit<ComponentProps<typeof Popover.Content>, 'children' | 'onOpenAutoFocus' | 'onEscapeKeyDown'>
  /** above the list in a sheet */
  sheetHead?: ReactNode
  children: ReactNode
}

/** A list that opens beside its button, on a phone as a sheet. */
export function ListPanel(props: ListPanelProps) {
  const { label, trigger, open, onOpenChange, onOpened, onEscapeKeyDown, beside, sheetHead, children } = props
  const phone = useMediaQuery('(max-width: 639px)')
  // before the list takes the focus
  useLayoutEffect(() => {
    if (!open) return
    holdTyping()
    return letTypingGo
  }, [open])
  if (phone) {
    return (
      <>
        <Slot.Root aria-expanded={open} onClick={() => onOpenChange(!open)}>
          {trigger}
        </Slot.Root>
        <Sheet
          title={label}
          side="bottom"
          open={open}
          onOpenChange={onOpenChange}
          onOpened={onOpened}
          onEscapeKeyDown={onEscapeKeyDown}
        >
          {sheetHead}
          {children}
        </Sheet>
      </>
    )
  }
  return (
    <Popover.Root open={open} onOpenChange={onOpenChange}>
      <Popover.Trigger asChild>{trigger}</Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          align="start"
          aria-label={label}
          onEscapeKeyDown={onEscapeKeyDown}
          onOpenAutoFocus={(event) => {
            if (!onOpened) return
            event.preventDefault()
            onOpened()
          }}
          {...beside}
          className={cn(
            'list-panel appear flex flex-col overflow-hidden rounded-lg border border-line bg-raised shadow-float',
            beside.className,
          )}
        >
          {children}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}

interface ListButton {
  label: string
  listId: string
  open: boolean
  onOpen(): void
}

/** The attributes of a button that opens a list: a combobox by role, which the arrows open too. */
export const listButton = ({ label, listId, open, onOpen }: ListButton) => ({
  type: 'button' as const,
  role: 'combobox',
  'aria-label': label,
  'aria-haspopup': 'listbox' as const,
  'aria-expanded': open,
  'aria-controls': open ? listId : undefined,
  onKeyDown(event: ReactKeyboardEvent) {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
    event.preventDefault()
    onOpen()
  },
})
