/** Largest file whose content is stored, in bytes. */
export const MOST_FILE_BYTES = 1 << 20
/** Most content of a recording, all files together, in bytes. */
export const MOST_ALL_BYTES = 16 << 20
/** Most paths of one run. */
export const MOST_PATHS = 10_000

/** Reasons why the content of a file or directory is not in a recording. */
export const LEFT_OUT = [
  'holds a secret', 'is closed to models', 'is too large', 'is over the limit of all files', 'is ignored',
  'is outside of the root', 'is no regular file', 'cannot be read', 'belongs to git', 'is one path too many',
] as const
export type LeftOut = typeof LEFT_OUT[number]

export const STARTING_KINDS = ['file', 'directory', 'link', 'absent', 'other'] as const

/** State of a path before a run first used it. */
export interface StartingPath {
  /** Relative to the root, with `/`; absolute outside the root. */
  path: string
  kind: typeof STARTING_KINDS[number]
  /** Permission bits. */
  mode?: number
  /** Only for a file, in bytes. */
  size?: number
  /** Hash of the stored content; absent also where the file was only listed. */
  sha256?: string
  /** Target of a link, as stored. */
  target?: string
  left?: LeftOut
  /** For a directory: all names in it are recorded, except those that are never listed. */
  listed?: true
}

/** Content in a recording: as text, or else in base64. */
export type KeptContent = { text: string } | { base64: string }

export function bytesOfContent(content: KeptContent): Buffer {
  return 'text' in content ? Buffer.from(content.text) : Buffer.from(content.base64, 'base64')
}
