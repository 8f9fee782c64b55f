import type { MetadataRoute } from 'next'

/** The page as an app of its own: browsers offer to install it. Its colours by theme are those of the page's head. */
export default function manifest(): MetadataRoute.Manifest {
  return {
    id: '/',
    name: 'Ramify',
    short_name: 'Ramify',
    description: 'Git for LLM conversations: every message is kept, every alternative is a branch.',
    start_url: '/',
    scope: '/',
    display: 'standalone',
    background_color: '#fbfaf8',
    theme_color: '#fbfaf8',
    icons: [
      { src: '/icon.svg', sizes: 'any', type: 'image/svg+xml' },
      { src: '/icon-192.png', sizes: '192x192', type: 'image/png' },
      { src: '/icon-512.png', sizes: '512x512', type: 'image/png' },
      { src: '/icon-maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
    ],
  }
}
