/** An empty graph: a drawing of a graph to come, and a sentence. */
export function EmptyGraph() {
  return (
    <div className="grid h-full place-items-center p-6">
      <div className="max-w-64 text-center">
        <svg viewBox="0 0 168 92" aria-hidden="true" className="mx-auto mb-5 h-23 w-42 fill-none">
          <g strokeWidth="2" strokeLinecap="round">
            <path d="M20 28H148" className="stroke-line-strong" />
            <path d="M52 28V56Q52 66 62 66H116" stroke="var(--lane-1)" strokeDasharray="1 5" />
          </g>
          <g className="fill-canvas stroke-line-strong" strokeWidth="2">
            <rect x="14" y="22" width="12" height="12" rx="3" />
            <circle cx="52" cy="28" r="6" />
            <rect x="78" y="22" width="12" height="12" rx="3" />
            <rect x="78" y="60" width="12" height="12" rx="3" stroke="var(--lane-1)" />
            <circle cx="148" cy="28" r="6" />
            <circle cx="116" cy="66" r="6" stroke="var(--lane-1)" />
          </g>
        </svg>
        <p className="text-muted text-sm">
          The map of this chat grows here. Every answer is kept; trying another way starts a branch.
        </p>
      </div>
    </div>
  )
}
