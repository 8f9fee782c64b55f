'use client'

import { DropdownMenu as Dropdown } from 'radix-ui'
import { cn } from './cn'
import { MenuChoice, type MenuChoiceProps, menuPanel } from './menu'
import { useFocusReturn } from './use-focus-return'

interface ChoiceMenuProps extends Pick<MenuChoiceProps, 'options' | 'onChoose'> {
  open: boolean
  /** the element that the menu opens beside */
  anchor: Element | null
  label: string
  /** the marked option */
  value: string | undefined
  onClose(): void
}

/** A menu of which one option is marked, opened beside any element. */
export function ChoiceMenu({ open, anchor, label, value, options, onChoose, onClose }: ChoiceMenuProps) {
  const giveBack = useFocusReturn(open, anchor)
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
          onCloseAutoFocus={giveBack}
          className={cn(menuPanel, 'max-h-80 min-w-56 max-w-[calc(100vw-1rem)]')}
        >
          <Dropdown.Label className="px-2 pt-1 pb-1.5 text-faint text-xs">{label}</Dropdown.Label>
          <MenuChoice value={value ?? ''} options={options} onChoose={onChoose} />
        </Dropdown.Content>
      </Dropdown.Portal>
    </Dropdown.Root>
  )
}

const noPlace = { left: 0, top: 0, width: 0, height: 0 }
