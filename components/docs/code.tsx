/** Lines to copy. They wrap, so a phone does not scroll sideways. */
export function Code({ label, text }: { label: string; text: string }) {
  return (
    <figure className="min-w-0">
      <figcaption className="mb-1 text-faint text-xs">{label}</figcaption>
      <pre className="whitespace-pre-wrap rounded-lg border border-line bg-surface px-3 py-2.5 font-mono text-sm [overflow-wrap:anywhere]">
        <code>{text}</code>
      </pre>
    </figure>
  )
}
