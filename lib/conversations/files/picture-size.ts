import { imageSize } from 'image-size'

/** Size in pixels that a picture claims, of its largest image; undefined when its bytes do not give it. */
export function pixelsOf(bytes: Buffer): { width: number; height: number } | undefined {
  try {
    const { width, height, images = [] } = imageSize(bytes)
    return {
      width: Math.max(width, ...images.map((image) => image.width)),
      height: Math.max(height, ...images.map((image) => image.height)),
    }
  } catch (error) {
    // the library has no error class for unreadable pictures
    if (error instanceof Error) return undefined
    throw error
  }
}
