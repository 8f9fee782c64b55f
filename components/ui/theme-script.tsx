export const themeKey = 'ramify-theme'
export const densityKey = 'ramify-density'
export const textSizeKey = 'ramify-text-size'

const theme = `var t=null,d=null,s=null;try{t=localStorage.getItem('${themeKey}');d=localStorage.getItem('${densityKey}');s=localStorage.getItem('${textSizeKey}')}catch(e){}
document.documentElement.dataset.theme=t==='light'||t==='dark'?t:matchMedia('(prefers-color-scheme: dark)').matches?'dark':'light';
if(d)document.documentElement.dataset.density=d;if(s)document.documentElement.dataset.textSize=s`

/**
 * Libraries for toasts and dialogs add their style sheets by script. Each gets the nonce that the content
 * security policy asks for.
 */
const styles = `var n=document.currentScript.nonce,make=document.createElement;
document.createElement=function(name){var made=make.apply(this,arguments);
if(n&&String(name).toLowerCase()==='style')made.nonce=n;return made}`

const script = `(function(){${theme}
${styles}})()`

/** Runs before anything else on a page: sets theme, density and text size before the first paint, so that a dark page never flashes white. */
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
