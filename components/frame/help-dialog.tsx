'use client'

import { helpScopes } from '@/components/actions/help'
import { Dialog, type OpenProps } from '@/components/ui/dialog'
import { KeyCaps } from '@/components/ui/kbd'

export function HelpDialog(props: OpenProps) {
  return (
    <Dialog {...props} title="Keys" description="They work whenever you are not typing.">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls is scrolled by key */}
      <section tabIndex={0} aria-label="Keys" className="overflow-y-auto p-5 pt-0">
        {helpScopes.map(({ heading, rows }) => (
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
        ))}
      </section>
    </Dialog>
  )
}
