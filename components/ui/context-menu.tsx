'use client'

import { ContextMenu as Context } from 'radix-ui'
import type { ComponentProps, ReactNode } from 'react'
import { cn } from './cn'
import { Kbd } from './kbd'
import { menuPanel } from './menu'

interface ContextMenuProps extends Pick<ComponentProps<typeof Context.Content>, 'onCloseAutoFocus'> {
  /** the element that is right-clicked, or held by a finger */
  trigger: ReactNode
  label: string
  onOpenChange(open: boolean): void
  children: ReactNode
}

/** A menu at the pointer: by the right button, a long touch, or the menu key. */
export function ContextMenu({ trigger, label, onOpenChange, children, ...props }: ContextMenuProps) {
  return (
    <Context.Root modal={false} onOpenChange={onOpenChange}>
      <Context.Trigger asChild>{trigger}</Context.Trigger>
      <Context.Portal>
        <Context.Content
          aria-label={label}
          collisionPadding={8}
          className={cn(menuPanel, 'max-h-[70dvh] min-w-52')}
          {...props}
        >
          {children}
        </Context.Content>
      </Context.Portal>
    </Context.Root>
  )
}

interface ContextItemProps {
  icon?: ReactNode
  hotkey: string | undefined
  onSelect(): void
  children: ReactNode
}

export function ContextItem({ icon, hotkey, onSelect, children }: ContextItemProps) {
  return (
    <Context.Item onSelect={onSelect} className="menu-item gap-2.5 touch:h-11">
      <span aria-hidden className="grid w-4 shrink-0 place-items-center text-faint">
        {icon}
      </span>
      <span className="min-w-0 flex-1 truncate">{children}</span>
      {hotkey && (
        <span aria-hidden className="touch:hidden">
          <Kbd>{hotkey}</Kbd>
        </span>
      )}
    </Context.Item>
  )
}

export const ContextSeparator = () => <Context.Separator className="mx-1 my-1 h-px bg-line" />
