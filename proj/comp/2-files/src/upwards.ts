import { dirname } from 'node:path'

/** A path and those of the directories above it, up to the root of the file system. */
export function upwards(path: string): string[] {
  const above = dirname(path)
  return above === path ? [path] : [path, ...upwards(above)]
}
