'use client'

import { Check } from 'lucide-react'
import { ContextMenu as Context, DropdownMenu as Dropdown } from 'radix-ui'
import { type ComponentProps, type ReactNode, useEffect, useRef } from 'react'
import { cn } from './cn'
import { Kbd } from './kbd'

const panel = 'appear z-50 overflow-y-auto rounded-lg border border-line bg-raised p-1 shadow-float'
const item =
  'flex h-8 select-none items-center rounded-md px-2 text-sm outline-none data-[highlighted]:bg-ink/6'

interface MenuProps {
  trigger: ReactNode
  align?: 'start' | 'end'
  children: ReactNode
}

/** A menu that opens from a button. */
export function Menu({ trigger, align = 'start', children }: MenuProps) {
  return (
    <Dropdown.Root modal={false}>
      <Dropdown.Trigger asChild>{trigger}</Dropdown.Trigger>
      <Dropdown.Portal>
        <Dropdown.Content
          align={align}
          sideOffset={4}
          collisionPadding={8}
          className={cn(panel, 'max-h-80 min-w-44')}
        >
          {children}
        </Dropdown.Content>
      </Dropdown.Portal>
    </Dropdown.Root>
  )
}

export function MenuItem({ danger, ...props }: ComponentProps<typeof Dropdown.Item> & { danger?: boolean }) {
  return (
    <Dropdown.Item
      className={cn(
        item,
        'gap-2 data-[disabled]:opacity-45 touch:h-10',
        danger && 'text-danger data-[highlighted]:bg-danger-soft',
      )}
      {...props}
    />
  )
}

interface ChoiceMenuProps {
  open: boolean
  /** what the menu opens beside; it has the focus again when the menu closes */
  anchor: Element | null
  label: string
  /** the marked option */
  value: string | undefined
  options: readonly { value: string; label: string; note?: string | undefined }[]
  onChoose(value: string): void
  onClose(): void
}

/** A menu of which one option is marked, opened beside any element. */
export function ChoiceMenu({ open, anchor, label, value, options, onChoose, onClose }: ChoiceMenuProps) {
  const before = useRef<Element | null>(null)
  useEffect(() => {
    if (open) before.current = anchor
  }, [open, anchor])
  const { left, top, width, height } = (open && anchor?.getBoundingClientRect()) || noPlace
  return (
    <Dropdown.Root modal={false} open={open} onOpenChange={(next) => !next && onClose()}>
      <Dropdown.Trigger asChild>
        <span aria-hidden className="pointer-events-none fixed" style={{ left, top, width, height }} />
      </Dropdown.Trigger>
      <Dropdown.Portal>
        <Dropdown.Content
          aria-label={label}
          align="start"
          sideOffset={4}
          collisionPadding={8}
          onCloseAutoFocus={(event) => {
            event.preventDefault()
            const from = before.current
            if (from instanceof HTMLElement && from.isConnected) from.focus({ preventScroll: true })
          }}
          className={cn(panel, 'max-h-80 min-w-56 max-w-[calc(100vw-1rem)]')}
        >
          <Dropdown.Label className="px-2 pt-1 pb-1.5 text-faint text-xs">{label}</Dropdown.Label>
          <Dropdown.RadioGroup value={value ?? ''} onValueChange={onChoose}>
            {options.map((option) => (
              <Dropdown.RadioItem
                key={option.value}
                value={option.value}
                className={cn(item, 'gap-2 pr-3 touch:h-11')}
              >
                <span className="grid w-4 shrink-0 place-items-center">
                  <Dropdown.ItemIndicator>
                    <Check size={14} aria-hidden className="text-accent" />
                  </Dropdown.ItemIndicator>
                </span>
                <span className="min-w-0 flex-1 truncate">{option.label}</span>
                {option.note && <span className="text-faint text-xs">{option.note}</span>}
              </Dropdown.RadioItem>
            ))}
          </Dropdown.RadioGroup>
        </Dropdown.Content>
      </Dropdown.Portal>
    </Dropdown.Root>
  )
}

const noPlace = { left: 0, top: 0, width: 0, height: 0 }

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
          className={cn(panel, 'max-h-[70dvh] min-w-52')}
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
    <Context.Item onSelect={onSelect} className={cn(item, 'gap-2.5 touch:h-11')}>
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
