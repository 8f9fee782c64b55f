import { KeyCaps } from '@/components/ui/kbd'
import { helpScopes } from './help'

/** Every key and what it does, by where it works. */
export function KeyList() {
  return helpScopes.map(({ heading, rows }) => (
    <section key={heading}>
      <h3 className="pt-5 pb-2 font-medium">{heading}</h3>
      <dl className="grid gap-x-8 gap-y-2 sm:grid-cols-2">
        {rows.map(({ label, keys }) => (
          <div key={label} className="flex items-center justify-between gap-4">
            <dt className="text-muted">{label}</dt>
            <dd className="flex shrink-0 gap-1">
              <KeyCaps names={keys} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  ))
}
