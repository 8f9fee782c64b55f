'use client'

import { KeyList } from '@/components/actions/key-list'
import { Dialog, type OpenProps } from '@/components/ui/dialog'

export function HelpDialog(props: OpenProps) {
  return (
    <Dialog {...props} title="Keys" description="They work whenever you are not typing.">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls is scrolled by key */}
      <section tabIndex={0} aria-label="Keys" className="overflow-y-auto p-5 pt-0">
        <KeyList />
      </section>
    </Dialog>
  )
}
