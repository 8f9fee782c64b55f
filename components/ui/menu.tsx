'use client'

import { Check } from 'lucide-react'
import { DropdownMenu as Dropdown } from 'radix-ui'
import { type ComponentProps, type ReactNode, useState } from 'react'
import { cn } from './cn'

export const menuPanel =
  'appear z-50 overflow-y-auto rounded-lg border border-line bg-raised p-1 shadow-float'

interface MenuProps {
  trigger: ReactNode
  align?: 'start' | 'end'
  /** it is open from its first moment */
  defaultOpen?: boolean
  /** called each time the button opens it */
  onOpen?(): void
  /** can keep the focus from going back to the button */
  onCloseAutoFocus?: (event: Event) => void
  children: ReactNode
}

/** A menu that opens from a button. */
export function Menu({
  trigger,
  align = 'start',
  defaultOpen = false,
  onOpen,
  onCloseAutoFocus,
  children,
}: MenuProps) {
  return (
    <Dropdown.Root modal={false} defaultOpen={defaultOpen} onOpenChange={(open) => open && onOpen?.()}>
      <Dropdown.Trigger asChild>{trigger}</Dropdown.Trigger>
      <Dropdown.Portal>
        <Dropdown.Content
          align={align}
          sideOffset={4}
          collisionPadding={8}
          onCloseAutoFocus={onCloseAutoFocus}
          className={cn(
            menuPanel,
            'max-h-(--radix-dropdown-menu-content-available-height) min-w-44 max-w-[min(22rem,calc(100vw-1rem))]',
          )}
        >
          {children}
        </Dropdown.Content>
      </Dropdown.Portal>
    </Dropdown.Root>
  )
}

interface MenuAtProps {
  /** the element that the menu opens beside; it has the focus again when the menu closes */
  anchor: HTMLElement
  label: string
  /** called when the focus is back */
  onClose(): void
  children: ReactNode
}

/** A menu that opens beside any element: one for a whole list. */
export function MenuAt({ anchor, label, onClose, children }: MenuAtProps) {
  const [open, setOpen] = useState(true)
  const { left, top, width, height } = anchor.getBoundingClientRect()
  return (
    <Dropdown.Root modal={false} open={open} onOpenChange={setOpen}>
      <Dropdown.Trigger asChild>
        <span aria-hidden className="pointer-events-none fixed" style={{ left, top, width, height }} />
      </Dropdown.Trigger>
      <Dropdown.Portal>
        <Dropdown.Content
          aria-label={label}
          align="end"
          sideOffset={4}
          collisionPadding={8}
          onCloseAutoFocus={(event) => {
            event.preventDefault()
            anchor.focus({ preventScroll: true })
            onClose()
          }}
          className={cn(menuPanel, 'min-w-44')}
        >
          {children}
        </Dropdown.Content>
      </Dropdown.Portal>
    </Dropdown.Root>
  )
}

interface MenuItemProps extends ComponentProps<typeof Dropdown.Item> {
  danger?: boolean
  /** it has a second line */
  tall?: boolean
}

export function MenuItem({ danger, tall, ...props }: MenuItemProps) {
  return (
    <Dropdown.Item
      className={cn(
        'menu-item gap-2 data-[disabled]:opacity-45',
        tall ? 'h-auto items-start py-1.5 [&>svg]:mt-[3px] touch:py-2.5' : 'touch:h-11',
        danger && 'text-danger data-[highlighted]:bg-danger-soft',
      )}
      {...props}
    />
  )
}

export const MenuLabel = ({ children }: { children: ReactNode }) => (
  <Dropdown.Label className="px-2 pt-2 pb-1 text-faint text-xs">{children}</Dropdown.Label>
)

export const MenuSeparator = () => <Dropdown.Separator className="mx-1 my-1 h-px bg-line" />

export interface MenuChoiceProps {
  /** the marked option */
  value: string
  options: readonly { value: string; label: string; note?: string | undefined; disabled?: boolean }[]
  onChoose(value: string): void
}

/** Options of a menu of which one is marked. */
export function MenuChoice({ value, options, onChoose }: MenuChoiceProps) {
  return (
    <Dropdown.RadioGroup value={value} onValueChange={onChoose}>
      {options.map((option) => (
        <Dropdown.RadioItem
          key={option.value}
          value={option.value}
          disabled={option.disabled ?? false}
          className="menu-item gap-2 pr-3 data-[disabled]:text-faint touch:h-11"
        >
          <span className="grid w-4 shrink-0 place-items-center">
            <Dropdown.ItemIndicator>
              <Check size={14} aria-hidden className="text-accent" />
            </Dropdown.ItemIndicator>
          </span>
          <bdi className="min-w-0 flex-1 truncate">{option.label}</bdi>
          {option.note && <span className="text-faint text-xs tabular-nums">{option.note}</span>}
        </Dropdown.RadioItem>
      ))}
    </Dropdown.RadioGroup>
  )
}
