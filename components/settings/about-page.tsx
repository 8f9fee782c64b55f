import { SettingsPage, SettingsSection } from './settings-page'

interface AboutPageProps {
  version: string
  /** address of this server's source */
  source: string | null
  licences: readonly { name: string; packages: readonly string[] }[]
}

/** Version of this Ramify, and the people whose work is in it. */
export function AboutPage({ version, source, licences }: AboutPageProps) {
  const count = licences.reduce((sum, { packages }) => sum + packages.length, 0)
  return (
    <SettingsPage title="About">
      <SettingsSection
        title={`Ramify ${version}`}
        note="Git for LLM conversations: every message is kept, and every alternative is a branch."
      >
        <p className="mt-4 flex flex-wrap gap-x-6 gap-y-2">
          {source && (
            <a href={source} rel="noreferrer" className="text-accent underline underline-offset-4">
              The source
            </a>
          )}
          <a href="/docs/api" className="text-accent underline underline-offset-4">
            The API
          </a>
        </p>
      </SettingsSection>
      <SettingsSection
        title="Licences"
        note={`Ramify is under the MIT licence. It runs with ${count} packages of other authors.`}
      >
        <p className="mt-2 text-muted text-sm">
          The graph is drawn with{' '}
          <a
            href="https://reactflow.dev"
            rel="noreferrer"
            className="text-accent underline underline-offset-4"
          >
            React Flow
          </a>
          .
        </p>
        <ul className="mt-4 border-line border-t">
          {licences.map(({ name, packages }) => (
            <li key={name} className="border-line border-b">
              <details>
                <summary className="flex cursor-pointer items-center justify-between gap-4 py-2.5 touch:min-h-11">
                  <span className="font-medium">{name}</span>
                  <span className="text-muted text-sm">{packages.length}</span>
                </summary>
                <p className="break-words pb-3 font-mono text-muted text-xs leading-5">
                  {packages.join(', ')}
                </p>
              </details>
            </li>
          ))}
        </ul>
      </SettingsSection>
    </SettingsPage>
  )
}
