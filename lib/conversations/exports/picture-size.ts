/** The size that a PNG, GIF or JPEG says it has, in pixels; undefined where the bytes do not say it. */
export function pixelsOf(bytes: Buffer): { width: number; height: number } | undefined {
  if (bytes.length >= 24 && bytes.readUInt32BE(0) === 0x89504e47)
    return sized(bytes.readUInt32BE(16), bytes.readUInt32BE(20))
  if (bytes.length >= 10 && bytes.toString('latin1', 0, 4) === 'GIF8')
    return sized(bytes.readUInt16LE(6), bytes.readUInt16LE(8))
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return undefined
  // a JPEG is segments: the one that begins a frame holds its size
  for (let at = 2; at + 9 <= bytes.length; ) {
    if (bytes[at] !== 0xff) return undefined
    const marker = bytes[at + 1] ?? 0
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (isFrame) return sized(bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5))
    at += marker === 0xff ? 1 : 2 + bytes.readUInt16BE(at + 2)
  }
  return undefined
}

const sized = (width: number, height: number): { width: number; height: number } | undefined =>
  width > 0 && height > 0 ? { width, height } : undefined
