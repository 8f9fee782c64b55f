'use client'

import { X } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import { Button } from './button'
import { cn } from './cn'
import { useFocusReturn } from './use-focus-return'

interface DialogProps {
  open: boolean
  onOpenChange(open: boolean): void
  title: string
  /** read out with the title */
  description?: ReactNode
  /** the title is read out but not shown */
  bare?: boolean
  className?: string
  /** can keep the focus from going back to where it was */
  onCloseAutoFocus?: (event: Event) => void
  children: ReactNode
}

export function Dialog({ open, onOpenChange, title, description, bare, className, ...rest }: DialogProps) {
  const giveBack = useFocusReturn(open)
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="appear fixed inset-0 z-40 bg-shade" />
        <Radix.Content
          onCloseAutoFocus={(event) => {
            rest.onCloseAutoFocus?.(event)
            giveBack(event)
          }}
          {...(!description && { 'aria-describedby': undefined })}
          className={cn(
            'arrive fixed top-[12dvh] left-1/2 z-50 max-h-[76dvh] w-[min(32rem,calc(100vw-2rem))] -translate-x-1/2',
            'flex flex-col overflow-hidden rounded-xl border border-line bg-raised shadow-float outline-none',
            className,
          )}
        >
          {bare ? (
            <Radix.Title className="sr-only">{title}</Radix.Title>
          ) : (
            <div className="flex items-center justify-between gap-4 px-5 pt-4">
              <Radix.Title className="font-semibold text-lg">{title}</Radix.Title>
              <Radix.Close asChild>
                <Button look="quiet" size="icon-sm" aria-label="Close">
                  <X size={16} aria-hidden />
                </Button>
              </Radix.Close>
            </div>
          )}
          {description && (
            <Radix.Description className={cn('px-5 pt-1 text-muted', bare && 'sr-only')}>
              {description}
            </Radix.Description>
          )}
          {rest.children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
