import type { LucideIcon } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import { cn } from './cn'
import { Hint } from './hint'

const looks = {
  primary: 'bg-accent text-on-accent hover:bg-accent/90',
  quiet: 'quiet',
  outline: 'border border-line bg-raised text-ink hover:border-line-strong',
  danger: 'bg-danger text-canvas hover:bg-danger/90',
}

const sizes = {
  sm: 'h-7 gap-1.5 px-2 text-sm',
  md: 'h-8 gap-2 px-3 text-sm',
  icon: 'size-8 touch:size-10',
  'icon-sm': 'size-7 touch:size-9',
  /** small for a mouse, large for a thumb */
  tool: 'size-7 touch:size-11',
}

type ButtonProps = ComponentProps<'button'> & {
  look?: keyof typeof looks
  size?: keyof typeof sizes
}

export function Button({ look = 'outline', size = 'md', className, type = 'button', ...props }: ButtonProps) {
  return <button type={type} className={cn('button', looks[look], sizes[size], className)} {...props} />
}

export type IconButtonProps = Omit<ButtonProps, 'aria-label'> & {
  label: string
  /** what the tooltip adds to the label: a git word, a key */
  hint?: ReactNode
  Icon?: LucideIcon | undefined
}

/** A button that is only an icon: its label is its name and its tooltip. */
export function IconButton({ label, hint, Icon, look = 'quiet', size = 'icon', ...props }: IconButtonProps) {
  return (
    <Hint text={label} more={hint}>
      <Button aria-label={label} look={look} size={size} {...props}>
        {Icon ? <Icon size={size === 'icon' ? 16 : 14} aria-hidden /> : props.children}
      </Button>
    </Hint>
  )
}
