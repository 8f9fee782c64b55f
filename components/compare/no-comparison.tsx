import type { ReactNode } from 'react'

/** Said in place of the rows, when there are none. */
export function NoComparison({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="relative m-auto flex max-w-md flex-col gap-1 bg-canvas p-6 text-center">
      <h2 className="font-medium text-lg">{title}</h2>
      <p className="text-muted">{children}</p>
    </div>
  )
}
