/** An empty graph: a drawing of a graph to come, and a sentence. */
export function EmptyGraph() {
  return (
    <div className="grid h-full place-items-center p-6">
      <div className="max-w-64 text-center">
        <svg viewBox="0 0 132 132" aria-hidden="true" className="mx-auto mb-5 size-33 fill-none">
          <g strokeWidth="2" strokeLinecap="round">
            <path d="M42 20V112" className="stroke-line-strong" />
            <path d="M42 50V56Q42 66 52 66H72Q82 66 82 76V112" stroke="var(--lane-1)" strokeDasharray="1 5" />
          </g>
          <g className="fill-canvas stroke-line-strong" strokeWidth="2">
            <rect x="36" y="14" width="12" height="12" rx="3" />
            <circle cx="42" cy="50" r="6" />
            <rect x="36" y="76" width="12" height="12" rx="3" />
            <rect x="76" y="76" width="12" height="12" rx="3" stroke="var(--lane-1)" />
            <circle cx="42" cy="112" r="6" />
            <circle cx="82" cy="112" r="6" stroke="var(--lane-1)" />
          </g>
        </svg>
        <p className="text-muted text-sm">
          The map of this chat grows here. Every answer is kept; trying another way starts a branch.
        </p>
      </div>
    </div>
  )
}
