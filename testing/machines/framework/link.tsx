// `next/link` in component tests

import type { ComponentProps } from 'react'
import { useRouter } from './navigation'

interface LinkProps extends ComponentProps<'a'> {
  href: string
  prefetch?: boolean
  replace?: boolean
  scroll?: boolean
}

export default function Link({ href, prefetch: _, replace, scroll: __, onClick, ...props }: LinkProps) {
  const router = useRouter()
  return (
    <a
      {...props}
      href={href}
      onClick={(event) => {
        onClick?.(event)
        const opensElsewhere = event.metaKey || event.ctrlKey || event.shiftKey || props.target === '_blank'
        if (event.defaultPrevented || opensElsewhere || href.startsWith('http')) return
        event.preventDefault()
        if (replace) router.replace(href)
        else router.push(href)
      }}
    />
  )
}
