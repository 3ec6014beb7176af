import * as v from 'valibot'
import { HermesError } from '../../../0-contracts/src/index.js'

/**
 * An image to show the model. Model services accept PNG, JPEG, GIF and WebP; the lowest size limit is Anthropic's, 5 MB
 * of base64.
 */
export interface ImageInput {
  mediaType: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp'
  /** Base64. */
  data: string
  /** A name for the user, such as its path. */
  name?: string
}

/** Largest image file, in bytes: 5 MiB as base64. */
export const MOST_IMAGE_BYTES = 3_932_160
/** Most images in one message. */
export const MOST_IMAGES = 20

/** First bytes of each file type. */
const SIGNATURES: readonly (readonly [ImageInput['mediaType'], RegExp])[] = [
  ['image/png', /^\x89PNG\r\n\x1A\n/], ['image/jpeg', /^\xFF\xD8\xFF/], ['image/gif', /^GIF8[79]a/],
  ['image/webp', /^RIFF[^]{4}WEBP/],
]
const SIGNATURE_BYTES = 12
/** Checked here, since Valibot's own base64 check overflows the stack for large images. */
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/

const IMAGES = v.pipe(v.array(v.strictObject({
  mediaType: v.picklist(SIGNATURES.map(([type]) => type)),
  data: v.pipe(v.string(), v.minLength(1), v.maxLength(MOST_IMAGE_BYTES / 3 * 4), v.regex(BASE64)),
  name: v.optional(v.string()),
})), v.maxLength(MOST_IMAGES))

/** The media type of an image's bytes; `undefined` for types that models do not accept. */
export function imageType(bytes: Uint8Array): ImageInput['mediaType'] | undefined {
  const beginning = Buffer.from(bytes.subarray(0, SIGNATURE_BYTES)).toString('latin1')
  return SIGNATURES.find(([, signature]) => signature.test(beginning))?.[0]
}

export function areImages(value: unknown): value is ImageInput[] {
  return v.is(IMAGES, value)
}

/** @throws HermesError `INVALID_OPTION` */
export function checkImages(images: readonly ImageInput[]): void {
  const checked = v.safeParse(IMAGES, images)
  if (checked.success) return
  const [issue] = checked.issues
  const path = v.getDotPath(issue)
  // Leave the data itself out of the message.
  const what = path?.endsWith('.data') === true ? 'it is not base64, or too long' : issue.message
  throw new HermesError('INVALID_OPTION', `Invalid option images${path === null ? '' : `.${path}`}: ${what}`, {
    hint: `Give { mediaType, data }: PNG, JPEG, GIF or WebP as base64 of at most ${MOST_IMAGE_BYTES} bytes; `
      + `${MOST_IMAGES} at most.`,
  })
}

/** The image as a data URL, which OpenAI's interfaces accept in place of an address. */
export function dataUrl({ mediaType, data }: ImageInput): string {
  return `data:${mediaType};base64,${data}`
}

/** Describes the images in text, for a server that accepts no images. */
export function namedInWords(images: readonly ImageInput[]): string {
  return images.map(({ name = 'without a name' }) => `[An image, ${name}, which you cannot see.]`).join('\n')
}
