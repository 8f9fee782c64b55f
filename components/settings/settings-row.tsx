import type { ReactNode } from 'react'

interface SettingsRowProps {
  title: ReactNode
  facts?: ReactNode
  children?: ReactNode
}

/** A line of a list of settings: its name, its facts, and its actions. */
export function SettingsRow({ title, facts, children }: SettingsRowProps) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-line border-b py-3">
      <div className="min-w-0 flex-1 basis-48">
        <h3 className="break-words font-medium">{title}</h3>
        {facts && <p className="break-words text-muted text-sm">{facts}</p>}
      </div>
      {children}
    </li>
  )
}

/** Result of the last act of a section. */
export interface Outcome {
  ok: boolean
  words: string
}

export function OutcomeLine({ outcome }: { outcome: Outcome | null }) {
  return (
    <>
      <p role="status" className="mt-3 text-accent text-sm empty:hidden">
        {outcome?.ok ? outcome.words : ''}
      </p>
      {outcome?.ok === false && (
        <p role="alert" className="mt-3 text-danger text-sm">
          {outcome.words}
        </p>
      )}
    </>
  )
}
