import { relative } from 'node:path'
import type { ContentBlock } from '@agentclientprotocol/sdk'
import { HermesError } from '../../0-contracts/src/index.js'
import { fenced } from '../../0-text/src/index.js'
import { imageType, type ImageInput } from '../../6-agent/src/index.js'
import { isInside, pathOfUri } from '../../2-files/src/index.js'

/** What is told of content that no model is given. */
const NOT_TAKEN: Readonly<Record<string, string>> = { audio: 'sound' }

/** What the user says and shows. */
export interface PromptMessage {
  text: string
  images: readonly ImageInput[]
}

/**
 * What the user sends, as one message: names of files where they stand in the text, contents below it.
 *
 * @throws HermesError `INVALID_PARAMETER` for what a model would not get: it is not left out in silence
 */
export function promptMessage(blocks: readonly ContentBlock[], root: string): PromptMessage {
  const attached: string[] = []
  const images: ImageInput[] = []
  const said = blocks.map((block) => {
    if (block.type === 'text') return block.text
    if (block.type === 'resource_link') return `\`${nameOf(block.uri, root)}\``
    if (block.type === 'image') {
      images.push(shownImage(block))
      return ''
    }
    if (block.type !== 'resource') throw notTaken(NOT_TAKEN[block.type] ?? block.type)
    const { resource } = block
    if (!('text' in resource)) throw notTaken('attachments that are no text')
    const name = nameOf(resource.uri, root)
    attached.push(`\`${name}\`, as the editor has it:\n${fenced(resource.text)}`)
    return `\`${name}\``
  }).join('')
  const text = [said, ...attached].join('\n\n')
  if (text.trim() !== '' || images.length > 0) return { text, images }
  throw new HermesError('INVALID_PARAMETER', 'The message is empty', { hint: 'Write what shall be done.' })
}

/** What is no image of a kind that models take, the agent refuses. */
function shownImage({ data, uri }: Extract<ContentBlock, { type: 'image' }>): ImageInput {
  const mediaType = imageType(Buffer.from(data.slice(0, 64), 'base64'))
  if (mediaType === undefined) throw notTaken('images but PNG, JPEG, GIF and WebP')
  return { mediaType, data, ...(typeof uri === 'string' && { name: uri }) }
}

/** A path below the root is relative, as verbs write it; `#L10:20` stays. */
function nameOf(uri: string, root: string): string {
  const path = pathOfUri(uri)
  if (path === undefined) return uri
  return `${isInside(root, path) ? relative(root, path) || '.' : path}${new URL(uri).hash}`
}

function notTaken(what: string): HermesError {
  return new HermesError('INVALID_PARAMETER', `hermes takes no ${what} in a message`, {
    hint: 'Save it below the project and name its path, or leave it out.',
  })
}
