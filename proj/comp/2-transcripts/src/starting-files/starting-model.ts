/** Largest file whose content is kept, in bytes. */
export const MOST_FILE_BYTES = 1 << 20
/** Most content of one recording, all files together, in bytes. */
export const MOST_ALL_BYTES = 16 << 20
/** Most paths of one run. */
export const MOST_PATHS = 10_000

/** Why the content of a file, or a directory, is not in a recording. */
export const LEFT_OUT = [
  'holds a secret', 'is closed to models', 'is too large', 'is over the limit of all files', 'is ignored',
  'is outside of the root', 'is no regular file', 'cannot be read', 'belongs to git', 'is one path too many',
] as const
export type LeftOut = typeof LEFT_OUT[number]

export const STARTING_KINDS = ['file', 'directory', 'link', 'absent', 'other'] as const

/** What one path was before a run used it first. */
export interface StartingPath {
  /** From the root, with `/`; absolute where it is outside of the root. */
  path: string
  kind: typeof STARTING_KINDS[number]
  /** Permission bits. */
  mode?: number
  /** Of a file, in bytes. */
  size?: number
  /** Of a file's content, which the recording holds; absent also where it was only listed. */
  sha256?: string
  /** Of a link, as it is stored. */
  target?: string
  left?: LeftOut
}

/** Content as a recording has it: as text, or else in base64. */
export type KeptContent = { text: string } | { base64: string }

export function bytesOfContent(content: KeptContent): Buffer {
  return 'text' in content ? Buffer.from(content.text) : Buffer.from(content.base64, 'base64')
}
