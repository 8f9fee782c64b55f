import type { ReactNode } from 'react'

export function Kbd({ children }: { children: ReactNode }) {
  return (
    <kbd className="inline-flex h-5 min-w-5 items-center justify-center rounded border border-line bg-surface px-1 font-sans text-muted text-xs">
      {children}
    </kbd>
  )
}

/** Keys to press together, or one after another. */
export function KeyCaps({ names }: { names: readonly string[] }) {
  // biome-ignore lint/suspicious/noArrayIndexKey: `g g` holds the same key twice
  return names.map((name, at) => <Kbd key={at}>{name}</Kbd>)
}
