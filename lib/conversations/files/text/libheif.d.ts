declare module 'libheif-js/wasm-bundle.js' {
  interface Shown {
    data: Uint8ClampedArray
    width: number
    height: number
  }
  interface HeifImage {
    get_width(): number
    get_height(): number
    /** fills the bytes, red, green, blue and opacity, and answers null when it cannot */
    display(into: Shown, done: (shown: Shown | null) => void): void
  }
  const libheif: { HeifDecoder: new () => { decode(bytes: Uint8Array): HeifImage[] } }
  export default libheif
}
