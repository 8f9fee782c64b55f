import type { LucideIcon } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import { cn } from './cn'
import { Hint } from './hint'

const looks = {
  primary: 'button-primary',
  quiet: 'quiet',
  outline: 'button-outline',
  danger: 'button-danger',
}

const sizes = {
  sm: 'button-sm',
  md: 'button-md',
  icon: 'button-icon',
  'icon-sm': 'button-icon-sm',
  /** small for a mouse, large for a thumb */
  tool: 'button-tool',
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
  /** the tooltip's addition to the label: a git word, a key */
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
