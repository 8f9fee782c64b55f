export const themeKey = 'ramify-theme'

const script = `(function(){var t=null;try{t=localStorage.getItem('${themeKey}')}catch(e){}
document.documentElement.dataset.theme=t==='light'||t==='dark'?t:matchMedia('(prefers-color-scheme: dark)').matches?'dark':'light'})()`

/** Sets the theme before the first paint, so that a dark page never flashes white. */
export function ThemeScript({ nonce }: { nonce?: string }) {
  return (
    <script
      nonce={nonce}
      suppressHydrationWarning
      // biome-ignore lint/security/noDangerouslySetInnerHtml: a constant of ours, and it must run before paint
      dangerouslySetInnerHTML={{ __html: script }}
    />
  )
}
