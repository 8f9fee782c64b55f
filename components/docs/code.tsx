import { CopyCode } from './copy-code'

interface CodeProps {
  label: string
  text: string
  /** the purpose of the lines; with it, they have a button that copies them */
  copiedFor?: string
}

/** Lines to copy. They wrap, so a phone does not scroll sideways. */
export function Code({ label, text, copiedFor }: CodeProps) {
  return (
    <figure className="min-w-0">
      <figcaption className="mb-1 flex items-end justify-between gap-3 text-faint text-xs">
        {label}
        {copiedFor && <CopyCode name={copiedFor} text={text} />}
      </figcaption>
      <pre className="whitespace-pre-wrap rounded-lg border border-line bg-surface px-3 py-2.5 font-mono text-sm [overflow-wrap:anywhere]">
        <code>{text}</code>
      </pre>
    </figure>
  )
}
