'use client'

import { ContextMenu as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import { Kbd } from './kbd'

interface ContextMenuProps {
  /** the element that is right-clicked, or held by a finger */
  trigger: ReactNode
  label: string
  onOpenChange?(open: boolean): void
  onCloseAutoFocus?(event: Event): void
  children: ReactNode
}

/** A menu at the pointer: by the right button, a long touch, or the menu key. */
export function ContextMenu({ trigger, label, onOpenChange, onCloseAutoFocus, children }: ContextMenuProps) {
  return (
    <Radix.Root modal={false} onOpenChange={onOpenChange}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          aria-label={label}
          collisionPadding={8}
          onCloseAutoFocus={onCloseAutoFocus}
          className="appear z-50 max-h-[70dvh] min-w-52 overflow-y-auto rounded-lg border border-line bg-raised p-1 shadow-float"
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

interface ContextItemProps {
  icon?: ReactNode
  hotkey?: string
  onSelect(): void
  children: ReactNode
}

export function ContextItem({ icon, hotkey, onSelect, children }: ContextItemProps) {
  return (
    <Radix.Item
      onSelect={onSelect}
      className="flex h-8 select-none items-center gap-2.5 rounded-md px-2 text-sm outline-none data-[highlighted]:bg-ink/6 touch:h-11"
    >
      <span aria-hidden className="grid w-4 shrink-0 place-items-center text-faint">
        {icon}
      </span>
      <span className="min-w-0 flex-1 truncate">{children}</span>
      {hotkey && (
        <span aria-hidden className="touch:hidden">
          <Kbd>{hotkey}</Kbd>
        </span>
      )}
    </Radix.Item>
  )
}

export function ContextSeparator() {
  return <Radix.Separator className="mx-1 my-1 h-px bg-line" />
}
