'use client'

import { DropdownMenu as Radix } from 'radix-ui'
import type { ComponentProps, ReactNode } from 'react'
import { cn } from './cn'

interface MenuProps {
  trigger: ReactNode
  align?: 'start' | 'end' | 'center'
  side?: 'top' | 'bottom'
  children: ReactNode
}

export function Menu({ trigger, align = 'start', side = 'bottom', children }: MenuProps) {
  return (
    <Radix.Root modal={false}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          align={align}
          side={side}
          sideOffset={4}
          collisionPadding={8}
          className="appear z-50 max-h-80 min-w-44 overflow-y-auto rounded-lg border border-line bg-raised p-1 shadow-float"
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

export function MenuItem({
  className,
  danger,
  ...props
}: ComponentProps<typeof Radix.Item> & { danger?: boolean }) {
  return (
    <Radix.Item
      className={cn(
        'flex h-8 select-none items-center gap-2 rounded-md px-2 text-sm outline-none touch:h-10',
        'data-[highlighted]:bg-ink/6 data-[disabled]:opacity-45',
        danger && 'text-danger data-[highlighted]:bg-danger-soft',
        className,
      )}
      {...props}
    />
  )
}
