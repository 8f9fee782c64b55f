import { cn } from './cn'

interface SwitchProps {
  label: string
  checked: boolean
  onChange(checked: boolean): void
}

/** On or off, at once. */
export function Switch({ label, checked, onChange }: SwitchProps) {
  return (
    <button
      type="button"
      role="switch"
      aria-label={label}
      aria-checked={checked}
      onClick={() => onChange(!checked)}
      className="group grid size-7 w-9 shrink-0 place-items-center rounded-md touch:h-11 touch:w-11"
    >
      <span
        className={cn(
          'flex h-4 w-7 items-center rounded-full p-0.5 transition-colors',
          checked ? 'bg-accent' : 'bg-line-strong group-hover:bg-faint',
        )}
      >
        <span
          className={cn(
            'size-3 rounded-full bg-raised transition-transform',
            checked && 'translate-x-3 dark:bg-on-accent',
          )}
        />
      </span>
    </button>
  )
}
