/** Text with code in `backticks`, and paragraphs separated by empty lines. */
export function Prose({ text, className }: { text: string; className?: string }) {
  return text.split('\n\n').map((paragraph) => (
    <p key={paragraph} className={className}>
      <Inline text={paragraph} />
    </p>
  ))
}

/** One line of such text. */
export function Inline({ text }: { text: string }) {
  const parts = text.split('`')
  // every second part was between two backticks
  return parts.map((part, i) =>
    i % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: a text never changes
      <code key={i} className="rounded border border-line bg-surface px-1 py-px font-mono text-[0.875em]">
        {part}
      </code>
    ) : (
      part
    ),
  )
}
