import { usageError } from '../../../0-text/src/index.js'
import { caught, HermesError, isNodeError, type PathGate } from '../../../0-contracts/src/index.js'
import { formatNodeError, readRegular } from '../../../2-files/src/index.js'
import { imageType, MOST_IMAGE_BYTES, MOST_IMAGES, type ImageInput } from './image-input.js'

const ENDING = String.raw`\.(?:png|jpe?g|gif|webp)`
/** `@shot.png` or `@"two words.png"`, at the beginning of a word. */
const NAMED = new RegExp(
  String.raw`(?<![^\s([{])@(?:"([^"\n]+${ENDING})"|([^\s"@]+${ENDING})(?![\w-]|\.\w))`, 'gi',
)

/** Whether a message names any image. */
export function namesImages(message: string): boolean {
  return message.search(NAMED) >= 0
}

/**
 * Reads the images that a message names, each once, in order, through the path gate as for a model's own reading.
 *
 * @returns `missing`: names of files that do not exist, which stay plain text
 * @throws HermesError `POLICY_DENIED`; `EISDIR`, `EACCES` and such for what cannot be read; `FILE_TOO_LARGE`,
 * `NOT_TEXT` and `INVALID_OPTION` for images that no model accepts
 */
export function namedImages(message: string, gate: PathGate): { images: ImageInput[]; missing: string[] } {
  const names = [...new Set([...message.matchAll(NAMED)].map(([, quoted, plain = '']) => quoted ?? plain))]
  if (names.length > MOST_IMAGES) throw usageError(
    `${names.length} images in one message`, `At most ${MOST_IMAGES}: say the others in the next one.`,
  )
  const missing: string[] = []
  const images = names.flatMap((name): ImageInput[] => caught(isNodeError, () => [imageAt(name, gate)], (error) => {
    if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') {
      throw new HermesError(error.code, formatNodeError(error, name, 'image'), {
        hint: 'Name a file that can be read, or write the name without @ to speak of it.', cause: error,
      })
    }
    missing.push(name)
    return []
  }))
  return { images, missing }
}

function imageAt(name: string, gate: PathGate): ImageInput {
  const bytes = bytesOf(name, gate)
  const mediaType = imageType(bytes)
  if (mediaType === undefined) throw new HermesError('INVALID_OPTION', `Not an image that models take: ${name}`, {
    hint: 'PNG, JPEG, GIF and WebP are; write the name without @ to speak of the file.',
  })
  return { mediaType, data: Buffer.from(bytes).toString('base64'), name }
}

function bytesOf(name: string, gate: PathGate): Uint8Array {
  try {
    return readRegular(gate.approve(name, 'read'), MOST_IMAGE_BYTES)
  } catch (error) {
    if (!(error instanceof HermesError) || error.code !== 'FILE_TOO_LARGE') throw error
    throw new HermesError(error.code, `The image is too large: ${name}`, {
      hint: `Services take ${MOST_IMAGE_BYTES} bytes: make it smaller.`, cause: error,
    })
  }
}
