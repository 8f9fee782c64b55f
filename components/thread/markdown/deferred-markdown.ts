'use client'

import { deferred } from '@/components/app/deferred'

/** Fetched ahead of a reply that comes later, which would otherwise show its marks for a moment. */
export const Markdown = deferred(() => import('./markdown'), { keepsFallback: 'told' })

/** Loads it ahead of replies that come, or come into sight, soon. */
export const preloadMarkdown = () => void Markdown.preload()
