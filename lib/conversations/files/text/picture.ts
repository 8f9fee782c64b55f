import libheif from 'libheif-js/wasm-bundle.js'
import sharp, { type Sharp } from 'sharp'
import { MAX_PIXELS, Refused } from './task.ts'

/** A picture of HEIC or AVIF as a JPEG, which every model and browser takes. Its first picture, upright, on white. */
export async function readPicture(bytes: Buffer): Promise<Uint8Array> {
  try {
    return await decoded(bytes)
  } catch (error) {
    if (error instanceof Refused) throw error
    const [cause] = String(error instanceof Error ? error.message : error).split('\n')
    throw new Refused(
      'damaged_file',
      `is damaged: it cannot be read as a picture (${cause}). Save it as JPEG, and attach that.`,
    )
  }
}

async function decoded(bytes: Buffer): Promise<Uint8Array> {
  // libheif here has no decoder of AVIF, and sharp none of HEIC
  if ((await sharp(bytes).metadata()).compression === 'av1')
    return asJpeg(sharp(bytes, { limitInputPixels: MAX_PIXELS }).autoOrient())
  const [image] = new libheif.HeifDecoder().decode(bytes)
  if (!image)
    throw new Refused(
      'damaged_file',
      'is damaged: it holds no picture that can be read. Save it as JPEG, and attach that.',
    )
  const [width, height] = [image.get_width(), image.get_height()]
  if (width * height > MAX_PIXELS)
    throw new Refused('file_too_large', 'has too many pixels. Make it smaller, and attach that.')
  const data = new Uint8ClampedArray(width * height * 4)
  await new Promise<void>((resolve, reject) => {
    image.display({ data, width, height }, (shown) => {
      if (shown) resolve()
      else
        reject(
          new Refused(
            'damaged_file',
            'is damaged: its picture ends early. Save it as JPEG, and attach that.',
          ),
        )
    })
  })
  return asJpeg(sharp(data, { raw: { width, height, channels: 4 } }))
}

const asJpeg = (picture: Sharp): Promise<Buffer> =>
  picture.flatten({ background: '#fff' }).jpeg({ quality: 90 }).toBuffer()
