import { imageSize } from 'image-size'

/** The size that a picture says it has, in pixels, of its largest one; undefined where its bytes do not say it. */
export function pixelsOf(bytes: Buffer): { width: number; height: number } | undefined {
  try {
    const { width, height, images = [] } = imageSize(bytes)
    return {
      width: Math.max(width, ...images.map((image) => image.width)),
      height: Math.max(height, ...images.map((image) => image.height)),
    }
  } catch (error) {
    // it has no class of error for what it cannot read
    if (error instanceof Error) return undefined
    throw error
  }
}
