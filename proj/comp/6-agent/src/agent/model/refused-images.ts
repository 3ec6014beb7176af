import { namedInWords, type ImageInput } from '../image-input.js'
import { imagesOf, type Message } from '../messages.js'
import { ServerError } from './server-error.js'

/** A passing failure, a key and a quota say nothing of images, whatever the words are. */
const STATUSES = new Set([undefined, 400, 403, 404, 413, 415, 422, 500, 501])
/** OpenAI, Anthropic and OpenRouter; DeepSeek's `image_url`; llama.cpp's `mmproj`; vLLM. */
const ABOUT_IMAGES = /image|vision|multi-?modal|mmproj/i

/**
 * Images that a server refused, since its model sees none or since it cannot read this one: without them the
 * conversation can go on.
 */
export class RefusedImages {
  readonly #refused = new WeakSet<ImageInput>()

  /** The same messages, with words for the images that were refused. */
  inWords(messages: readonly Message[]): readonly Message[] {
    return messages.map((message) => {
      const images = imagesOf(message)
      const gone = images.filter((image) => this.#refused.has(image))
      if (message.role !== 'user' || gone.length === 0) return message
      const left = images.filter((image) => !gone.includes(image))
      return { ...message, content: `${message.content}\n\n${namedInWords(gone)}`, images: left }
    })
  }

  /** @returns whether the refusal was for images, so that the same can be asked without them */
  refuse(messages: readonly Message[], error: unknown): boolean {
    if (!(error instanceof ServerError) || !STATUSES.has(error.status) || !ABOUT_IMAGES.test(error.message)) {
      return false
    }
    const sent = messages.flatMap(imagesOf).filter((image) => !this.#refused.has(image))
    for (const image of sent) this.#refused.add(image)
    return sent.length > 0
  }
}
