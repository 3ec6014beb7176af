import { dirname } from 'node:path'
import type { CopyPlace } from './agent-part.js'

/** Makes a function that shows paths of a copy as those of the original, in any text. */
export function asOriginal({ root, original }: CopyPlace): (text: string) => string {
  const [around, aroundOriginal] = [dirname(root), dirname(original)]
  return (text) => (
    text.includes(around) ? text.replaceAll(root, original).replaceAll(around, aroundOriginal) : text
  )
}

/** Makes a function that turns paths of the original into those of the copy: in commands, where no gate reads them. */
export function asCopied({ root, original }: CopyPlace): (text: string) => string {
  // Not within a longer path or name: `/home/project` is no part of `/home/project-2`, nor of `/mnt/home/project`.
  const escaped = original.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
  const pattern = new RegExp(`(?<![\\w./-])${escaped}(?![\\w.-])`, 'g')
  return (text) => text.replace(pattern, () => root)
}

/** A value of JSON with each string in it changed. */
export function withTexts<T>(value: T, change: (text: string) => string): T {
  if (typeof value === 'string') return change(value) as T
  if (Array.isArray(value)) return value.map((item: unknown) => withTexts(item, change)) as T
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withTexts<unknown>(item, change)])) as T
}
