/** The line of a step, or of several: failures are red. */
export function StepWords({ line }: { line: string }) {
  const at = line.search(/(?:✕.*|\d+ failed.*)$/)
  if (at === -1) return line
  return (
    <>
      {line.slice(0, at)}
      <span className="text-danger">{line.slice(at)}</span>
    </>
  )
}
