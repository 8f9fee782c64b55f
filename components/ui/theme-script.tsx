export const themeKey = 'ramify-theme'

const theme = `var t=null;try{t=localStorage.getItem('${themeKey}')}catch(e){}
document.documentElement.dataset.theme=t==='light'||t==='dark'?t:matchMedia('(prefers-color-scheme: dark)').matches?'dark':'light'`

/**
 * Libraries for toasts and dialogs add their style sheets by script. Each gets the nonce, which the content security
 * policy asks of a style sheet; one that comes in as markup gets none.
 */
const styles = `var n=document.currentScript.nonce,make=document.createElement;
document.createElement=function(name){var made=make.apply(this,arguments);
if(n&&String(name).toLowerCase()==='style')made.nonce=n;return made}`

/**
 * What a script may hand to the browser as a string, under Trusted Types: text without markup (the select box sets its
 * style sheet so) or the empty script that React makes elements of, our own chunks, and the empty function by which the
 * schema library finds out that it must not make any. Addresses stay as they are: the loader knows its chunks by them.
 */
const trusted = `if(window.trustedTypes)trustedTypes.createPolicy('default',{
createHTML:function(s){return s.indexOf('\\x3c')===-1||s==='\\x3cscript>\\x3c/script>'?s:null},
createScript:function(s){return /^\\(function anonymous\\(\\s*\\)\\s*\\{\\s*\\}\\)$/.test(s)?s:null},
createScriptURL:function(s){var u=new URL(s,location.href);
return u.origin===location.origin&&u.pathname.indexOf('/_next/')===0?s:null}})`

const script = `(function(){${theme}
${styles}
${trusted}})()`

/** Runs before anything else on a page: sets the theme before the first paint, so that a dark page never flashes white. */
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
