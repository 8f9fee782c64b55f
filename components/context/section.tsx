import { type ReactNode, useId } from 'react'

interface SectionProps {
  title: string
  /** after the title: a count */
  note?: string | undefined
  /** at the end of the line */
  action?: ReactNode
  children: ReactNode
}

/** A part of the panel under its heading. */
export function Section({ title, note, action, children }: SectionProps) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="border-line border-b py-2 last:border-b-0">
      <div className="flex min-h-9 items-center gap-2 px-4">
        <h3 id={id} className="font-medium text-sm">
          {title}
        </h3>
        {note && <span className="text-faint text-xs tabular-nums">{note}</span>}
        <span className="flex-1" />
        {action}
      </div>
      {children}
    </section>
  )
}
