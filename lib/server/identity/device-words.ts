/** The marks of browsers and systems in a user agent; the first match counts. */
const browsers = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
  [/^curl\//, 'curl'],
] as const
const systems = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
] as const

/** A browser's `User-Agent` in words, as far as it is known: `Firefox on Linux`. */
export function deviceWords(agent: string): string {
  const [browser, system] = [browsers, systems].map((marks) => marks.find(([mark]) => mark.test(agent))?.[1])
  if (browser && system) return `${browser} on ${system}`
  return browser ?? system ?? 'Unknown device'
}
